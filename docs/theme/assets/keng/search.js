// The worker of the search box: the ranking of `keng pits` (BM25 over weighted columns, as SQLite's FTS5 computes it)
// over the index that docs/search_index.py writes, raised for a page whose symptoms, name or title are what was typed. It speaks the protocol of mkdocs-material: 0 set-up, 1 ready,
// 2 query, 3 result. Tests load it into node.

const WORD = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[\u3400-\u9fff]+/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const MOST_CHARACTERS = 2000;
const MOST_RESULTS = 20;
const SATURATION = 1.2;
const LENGTH = 0.75;
const PHRASE = 3;  // how much a phrase that is the query counts, against the words alone
const PROSE = 0.5;  // of a page that is no pitfall's

// ---------------------------------------------------------------- words

function wordsOf(text) {
    return (text.match(WORD) ?? []).flatMap(parts);
}

function parts(word) {
    if (word.charCodeAt(0) >= 0x3400) return pairs(word);
    const found = word.match(PART) ?? [];
    const whole = found.length > 1 ? [found.join("").toLowerCase()] : [];
    return [...whole, ...(found.length ? found : [word]).map(each => each.toLowerCase())];
}

function pairs(word) {
    if (word.length === 1) return [word];
    return Array.from({ length: word.length - 1 }, (_, n) => word.slice(n, n + 2));
}

// Porter's stemmer, as FTS5 has it.

const VOWEL = "[aeiouy]", CONSONANT = "[^aeiou]";
const V = "[aeiouy][aeiou]*", C = "[^aeiou][^aeiouy]*";
const ONCE = new RegExp(`^(${C})?${V}${C}`);
const EXACTLY_ONCE = new RegExp(`^(${C})?${V}${C}(${V})?$`);
const TWICE = new RegExp(`^(${C})?${V}${C}${V}${C}`);
const HAS_VOWEL = new RegExp(`^(${C})?${VOWEL}`);
const SHORT = new RegExp(`^${C}${VOWEL}[^aeiouwxy]$`);
const SECOND = {
    ational: "ate", tional: "tion", enci: "ence", anci: "ance", izer: "ize", logi: "log", bli: "ble", alli: "al",
    entli: "ent", eli: "e", ousli: "ous", ization: "ize", ation: "ate", ator: "ate", alism: "al", iveness: "ive",
    fulness: "ful", ousness: "ous", aliti: "al", iviti: "ive", biliti: "ble",
};
const THIRD = { icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ful: "", ness: "" };
const FOURTH =
    /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function stem(word) {
    if (word.length < 3 || word.length > 64 || !/^[a-z]+$/.test(word)) return word;
    let w = word[0] === "y" ? "Y" + word.slice(1) : word;
    w = plural(w);
    w = past(w);
    if (w.endsWith("y") && HAS_VOWEL.test(w.slice(0, -1))) w = w.slice(0, -1) + "i";
    w = replaced(w, SECOND);
    w = replaced(w, THIRD);
    const fourth = FOURTH.exec(w);
    if (fourth && TWICE.test(fourth[1])) w = fourth[1];
    return ended(w).toLowerCase();
}

function plural(w) {
    if (/(ss|i)es$/.test(w)) return w.slice(0, -2);
    return /[^s]s$/.test(w) ? w.slice(0, -1) : w;
}

function past(w) {
    if (w.endsWith("eed")) return ONCE.test(w.slice(0, -3)) ? w.slice(0, -1) : w;
    const root = w.replace(/(ed|ing)$/, "");
    if (root === w || !HAS_VOWEL.test(root)) return w;
    if (/(at|bl|iz)$/.test(root)) return root + "e";
    if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1);
    return EXACTLY_ONCE.test(root) && SHORT.test(root) ? root + "e" : root;
}

function replaced(w, table) {
    const ending = Object.keys(table).sort((a, b) => b.length - a.length).find(each => w.endsWith(each));
    if (ending === undefined) return w;
    const root = w.slice(0, -ending.length);
    return ONCE.test(root) ? root + table[ending] : w;
}

function ended(w) {
    if (w.endsWith("e")) {
        const root = w.slice(0, -1);
        if (TWICE.test(root) || (EXACTLY_ONCE.test(root) && !SHORT.test(root))) w = root;
    }
    return w.endsWith("ll") && TWICE.test(w) ? w.slice(0, -1) : w;
}

// ---------------------------------------------------------------- the index

class Index {
    constructor({ config, docs }) {
        this.docs = docs;
        this.common = new Set(config.common);
        this.postings = new Map();  // stem -> Map(document -> weighted count)
        this.lengths = new Float64Array(docs.length);
        docs.forEach((doc, n) => this.#add(n, doc.words, config.weights));
        this.phrases = docs.map(doc => doc.phrases.map(each => this.#telling(each.split(" ")).map(stem)));
        this.mean = this.lengths.reduce((sum, each) => sum + each, 0) / docs.length;
    }

    #add(n, words, weights) {
        for (const [column, weight] of Object.entries(weights)) {
            for (const word of words[column].split(" ")) {
                if (!word) continue;
                const term = stem(word);
                const counts = this.postings.get(term) ?? new Map();
                counts.set(n, (counts.get(n) ?? 0) + weight);
                this.postings.set(term, counts);
                this.lengths[n] += 1;
            }
        }
    }

    // Pitfalls with all words of the query come before the rest. Its numbers are mostly those of one error.
    search(query) {
        const words = [...new Set(this.#telling(wordsOf(query.slice(0, MOST_CHARACTERS))))];
        const terms = words.map((word, n) => this.#matching(word, n === words.length - 1));
        const scores = new Map(), met = new Map();
        const needed = words.map(word => !/^[0-9]+$/.test(word));
        for (const [at, counts] of terms.entries()) {
            const rarity = this.#rarity(counts.size);
            for (const [n, count] of counts) {
                const size = SATURATION * (1 - LENGTH + (LENGTH * this.lengths[n]) / this.mean);
                scores.set(n, (scores.get(n) ?? 0) + (rarity * count * (SATURATION + 1)) / (count + size));
                met.set(n, (met.get(n) ?? 0) + needed[at]);
            }
        }
        const stems = words.map(stem);
        for (const [n, score] of scores) scores.set(n, score * this.#standing(n, stems));
        const most = needed.filter(Boolean).length;
        const whole = n => this.#isPitfall(n) && met.get(n) === most;
        return [...scores.keys()]
            .sort((a, b) => whole(b) - whole(a) || scores.get(b) - scores.get(a))
            .slice(0, MOST_RESULTS)
            .map(n => ({ doc: this.docs[n], score: scores.get(n) }));
    }

    #isPitfall(n) {
        return this.docs[n].location.startsWith("pitfalls/");
    }

    #telling(words) {
        const telling = words.filter(word => !this.common.has(word));
        return telling.length ? telling : words;
    }

    // How far one phrase of a document is the query: the product of the shares that they cover of each other.
    #standing(n, stems) {
        const weight = words => words.reduce((sum, each) => sum + this.#rarity(this.postings.get(each)?.size ?? 0), 0);
        const asked = weight(stems), wanted = new Set(stems);
        const likeness = phrase => weight(phrase.filter(each => wanted.has(each))) ** 2 / (asked * weight(phrase));
        const kind = this.#isPitfall(n) ? 1 : PROSE;
        return kind * (1 + PHRASE * Math.max(0, ...this.phrases[n].map(likeness)));
    }

    // The last word may still be being typed: if no text has it, words that begin with it count.
    #matching(word, last) {
        const exact = this.postings.get(stem(word));
        if (exact || !last || word.length < 2) return exact ?? new Map();
        const merged = new Map();
        for (const [term, counts] of this.postings) {
            if (!term.startsWith(word)) continue;
            for (const [n, count] of counts) merged.set(n, Math.max(count, merged.get(n) ?? 0));
        }
        return merged;
    }

    #rarity(documents) {
        const rarity = Math.log((this.docs.length - documents + 0.5) / (documents + 0.5));
        return Math.max(rarity, 1e-6);
    }
}

// ---------------------------------------------------------------- the worker

function shown(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

function answer(index, query) {
    const items = index.search(query).map(({ doc, score }) => [
        { location: doc.location, title: shown(doc.title), text: shown(doc.text), score, terms: {} },
    ]);
    return { items };
}

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
    let index;
    addEventListener("message", ({ data: { type, data } }) => {
        if (type === 0) {
            index = new Index(data);
            postMessage({ type: 1 });
        } else if (type === 2) {
            postMessage({ type: 3, data: answer(index, data) });
        }
    });
}

if (typeof module !== "undefined") module.exports = { Index, answer, stem, wordsOf };
