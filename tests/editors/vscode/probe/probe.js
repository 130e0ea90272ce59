// Lets a test look into VS Code from outside: each line at a Unix socket is a question as JSON, each
// answer a line. The socket's path is in the variable TENON_PROBE_SOCKET.
const net = require('node:net');
const readline = require('node:readline');
const vscode = require('vscode');

const documentOf = (path) => vscode.workspace.textDocuments.find((each) => each.uri.fsPath === path);
const extension = () => vscode.extensions.getExtension('tenon.tenon');

const questions = {
  text: (path) => documentOf(path)?.getText(),
  activeText: () => vscode.window.activeTextEditor?.document.getText(),
  async open(path) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    await vscode.window.showTextDocument(document, { preview: false });
  },
  cursor() {
    const active = vscode.window.activeTextEditor?.selection.active;
    return active && [active.line, active.character];
  },
  async setCursor(line, character) {
    const at = new vscode.Position(line, character);
    const editor = vscode.window.activeTextEditor;
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at));
    // The window has the cursor when it answers what was asked later.
    await vscode.commands.executeCommand('setContext', 'probe.cursor', line);
  },
  // The active document is given another text.
  async setText(text) {
    const editor = vscode.window.activeTextEditor;
    const all = new vscode.Range(new vscode.Position(0, 0), editor.document.positionAt(editor.document.getText().length));
    await editor.edit((edit) => edit.replace(all, text));
  },
  async command(name, ...args) {
    await vscode.commands.executeCommand(name, ...args);
  },
  async setting(name, value) {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  },
  isActive: () => extension()?.isActive === true,
  status: () => extension().exports.status(),
  cost: () => extension().exports.cost(),
  hasCommand: async (name) => (await vscode.commands.getCommands()).includes(name),
  isTrusted: () => vscode.workspace.isTrusted,
  async save() {
    await vscode.window.activeTextEditor.document.save();
  },
};

exports.activate = () => {
  const server = net.createServer((socket) => {
    readline.createInterface({ input: socket }).on('line', async (line) => {
      const { id, name, args } = JSON.parse(line);
      try {
        socket.write(`${JSON.stringify({ id, result: (await questions[name](...args)) ?? null })}\n`);
      } catch (error) {
        socket.write(`${JSON.stringify({ id, error: String(error) })}\n`);
      }
    });
  });
  server.listen(process.env.TENON_PROBE_SOCKET);
  return {};
};
