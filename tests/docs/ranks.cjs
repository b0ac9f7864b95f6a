// Reads queries from standard input as JSON and prints what the search of the site finds, the best first.
// node ranks.cjs SEARCH.js INDEX.json
const { readFileSync } = require("node:fs");
const { Index, answer } = require(process.argv[2]);
const index = new Index(JSON.parse(readFileSync(process.argv[3], "utf8")));
const queries = JSON.parse(readFileSync(0, "utf8"));
const found = queries.map(query => answer(index, query).items.map(([item]) => item.location));
process.stdout.write(JSON.stringify(found));
