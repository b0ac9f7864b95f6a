// The client of `keng lsp`: starts it, shows pages as rendered Markdown, and explains what is on the clipboard.

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const SCHEME = "keng";
const EXTENSION = "keng.keng";
const WINDOWS = process.platform === "win32";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    const pages = new Pages();
    context.subscriptions.push(
        vscode.workspace.registerTextDocumentContentProvider(SCHEME, pages),
        vscode.window.registerUriHandler({ handleUri: uri => showPage(pages, uri.path.split("/").pop() ?? "") }),
        vscode.commands.registerCommand("keng.explainClipboard", () => explainClipboard(pages)),
        vscode.commands.registerCommand("keng.showPage", () => choosePage(pages)),
        vscode.commands.registerCommand("keng.restart", start),
        vscode.workspace.onDidChangeConfiguration(event => {
            if (event.affectsConfiguration("keng")) void start();
        }),
    );
    await start();
}

export async function deactivate(): Promise<void> {
    await client?.stop();
}

async function start(): Promise<void> {
    await client?.stop().catch(() => undefined);
    client = new LanguageClient("keng", "keng", server(), options());
    try {
        await client.start();
    } catch (error) {
        const text = `keng could not be started (${program()}): pip install 'keng[lsp]', or set keng.path. ${String(error)}`;
        void vscode.window.showErrorMessage(text);
    }
}

function server(): ServerOptions {
    const settings = vscode.workspace.getConfiguration("keng");
    const chosen = settings.get<string>("language", "auto");
    const language = chosen === "auto" ? (vscode.env.language.startsWith("zh") ? "zh" : "en") : chosen;
    const args = ["lsp", "--lang", language];
    if (settings.get<boolean>("suspicious", false)) args.push("--suspicious");
    return { command: program(), args };
}

// That of the setting, of the workspace's environment if the workspace is trusted, else the one on the PATH.
function program(): string {
    const path = vscode.workspace.getConfiguration("keng").get<string>("path", "");
    if (path) return path;
    const places = WINDOWS ? ["Scripts", "keng.exe"] : ["bin", "keng"];
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    const found = folders
        .flatMap(folder => [".venv", "venv"].map(name => join(folder.uri.fsPath, name, ...places)))
        .find(existsSync);
    return found ?? "keng";
}

function options(): LanguageClientOptions {
    return {
        documentSelector: [
            { scheme: "file", language: "python" },
            { scheme: "untitled", language: "python" },
            { notebook: "jupyter-notebook", language: "python" },
        ],
        // The link of a finding opens its page here, without the network.
        initializationOptions: { pages: `${vscode.env.uriScheme}://${EXTENSION}/` },
    };
}

// Markdown documents by their address, for the preview.
class Pages implements vscode.TextDocumentContentProvider {
    private readonly texts = new Map<string, string>();

    provideTextDocumentContent(uri: vscode.Uri): string {
        return this.texts.get(uri.path) ?? "";
    }

    async show(name: string, text: string): Promise<void> {
        const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
        this.texts.set(uri.path, text);
        await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    }
}

async function asked(command: string, argument: string): Promise<string> {
    if (!client?.isRunning()) await start();
    const answer: unknown = await client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
    return typeof answer === "string" ? answer : "";
}

async function showPage(pages: Pages, name: string): Promise<void> {
    if (/^[a-z0-9-]+$/.test(name)) await pages.show(name, await asked("keng.page", name));
}

async function explainClipboard(pages: Pages): Promise<void> {
    const text = await vscode.env.clipboard.readText();
    if (!text.trim()) {
        void vscode.window.showInformationMessage("keng: there is no text on the clipboard");
        return;
    }
    // A new address each time: a preview that is open keeps its text.
    await pages.show(`explanation-${Date.now()}`, await asked("keng.explain", text));
}

// The pitfalls that are found in the editor, and any other by name.
async function choosePage(pages: Pages): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const found = uri ? vscode.languages.getDiagnostics(uri).filter(each => each.source === "keng") : [];
    const names = [...new Set(found.map(nameOf))];
    const name = names.length
        ? await vscode.window.showQuickPick(names)
        : await vscode.window.showInputBox({ prompt: "The name of a pitfall", placeHolder: "zero-grad-missing" });
    if (name) await showPage(pages, name);
}

function nameOf(finding: vscode.Diagnostic): string {
    const { code } = finding;
    return String(typeof code === "object" ? code.value : code);
}
