// keng in the browser: Python by Pyodide, the wheel of keng unpacked into it. Everything comes from the folder that the
// page names; after it is loaded, the worker gives up every way to reach the network.

let answers;

async function load(runtime) {
    const begun = performance.now();
    postMessage({ state: "loading" });
    const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
    const [python, wheel, program] = await Promise.all([
        loadPyodide({ indexURL: runtime }),
        read(`${runtime}keng.whl`).then(each => each.arrayBuffer()),
        read(`${runtime}answer.py`).then(each => each.text()),
    ]);
    for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport"]) self[name] = undefined;
    python.unpackArchive(wheel, "wheel");
    python.FS.writeFile("/home/pyodide/answer.py", program);
    answers = python.pyimport("answer");
    // What the first answer would load.
    answers.explained("RuntimeError: keng");
    answers.checked("import torch\n");
    postMessage({ state: "ready", seconds: (performance.now() - begun) / 1000 });
}

async function read(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response;
}

function answered({ n, what, text, lang }) {
    const begun = performance.now();
    const html = answers[what](text, lang);
    postMessage({ n, html, seconds: (performance.now() - begun) / 1000 });
}

addEventListener("message", ({ data }) => {
    try {
        if (data.runtime) load(data.runtime).catch(error => postMessage({ state: "failed", why: String(error) }));
        else answered(data);
    } catch (error) {
        postMessage({ n: data.n, html: "", seconds: 0 });
        postMessage({ state: "failed", why: String(error) });
    }
});
