// The page with a box: hands what is pasted to keng, which runs in a worker of this page. Nothing is sent anywhere.

const box = document.getElementById("keng-box");
const told = JSON.parse(document.getElementById("keng-words").textContent);
const [input, button, state, answer] = ["textarea", ".keng-ask", ".keng-state", ".keng-screen"].map(each =>
    box.querySelector(each),
);
const tabs = [...box.querySelectorAll(".keng-tabs button")];
const texts = { explained: "", checked: "" };
let what = "explained";
let asked = 0;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
    if (data.state === "loading") say(told.loading);
    else if (data.state === "ready") ready(data.seconds);
    else if (data.state === "failed") fail(data.why);
    else if (data.n === asked) show(data);
};
worker.onerror = event => fail(event.message);
worker.postMessage({ runtime: new URL(box.dataset.runtime, location.href).href });

function say(text) {
    state.textContent = text;
}

function fail(why) {
    box.dataset.state = "failed";
    say(`${told.failed}: ${why}`);
}

function ready(seconds) {
    box.dataset.state = "ready";
    say(told.ready.replace("{seconds}", seconds.toFixed(1)));
    if (box.dataset.waiting) ask();
}

function ask() {
    if (!input.value.trim()) return;
    if (box.dataset.state !== "ready") {
        box.dataset.waiting = "yes";
        return;
    }
    asked += 1;
    say(told.working);
    worker.postMessage({ n: asked, what, text: input.value, lang: document.documentElement.lang.slice(0, 2) });
}

function show({ html, seconds }) {
    answer.innerHTML = html;
    answer.hidden = false;
    box.dataset.answered = String(asked);
    say(told.answered.replace("{seconds}", seconds.toFixed(1)));
}

function choose(tab) {
    texts[what] = input.value;
    what = tab.dataset.what;
    for (const each of tabs) each.setAttribute("aria-selected", String(each === tab));
    input.value = texts[what];
    input.placeholder = told[`${what}_placeholder`];
    button.textContent = told[`${what}_button`];
    answer.hidden = true;
    input.focus();
}

for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
button.addEventListener("click", ask);
input.addEventListener("paste", () => setTimeout(ask));
input.addEventListener("keydown", event => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
});
box.querySelector(".keng-example").addEventListener("click", () => {
    input.value = told[`${what}_example`];
    ask();
});
