// Tells the server where the cursor of the active editor rests (cursor_rest.ts).
//
// Undoing is no typing: no suggestion is asked for where it puts the cursor.
import { Disposable, window, workspace, type TextDocument } from 'vscode';

import { CursorRest, type Place } from './cursor_rest';
import type { Session } from './session';

export function watchCursor(session: Session, isOff: (document: TextDocument) => boolean): Disposable {
  const look = (): Place | undefined => {
    const editor = window.activeTextEditor;
    if (editor === undefined || !window.state.focused) return undefined;
    const { document, selection, selections } = editor;
    if (selections.length !== 1 || !selection.isEmpty) return undefined;
    if (isOff(document) || !session.readsAhead(document)) return undefined;
    const { line, character } = selection.active;
    return { uri: document.uri.toString(), version: document.version, line, character };
  };
  const rest = new CursorRest(look, ({ uri, line, character }) => {
    void session.tell('tenon/didMoveCursor', { textDocument: { uri }, position: { line, character } });
  });

  let isRunning = false;
  return Disposable.from(
    window.onDidChangeTextEditorSelection(({ textEditor: { document, selection }, textEditor }) => {
      if (textEditor === window.activeTextEditor) rest.moved(document.offsetAt(selection.active));
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      if (document !== window.activeTextEditor?.document || contentChanges.length === 0) return;
      rest.edited(reason === undefined ? contentChanges : []);
    }),
    window.onDidChangeActiveTextEditor(() => rest.entered()),
    window.onDidChangeWindowState(({ focused }) => (focused ? rest.entered() : rest.stop())),
    session.onDidChange(() => {
      const wasRunning = isRunning;
      isRunning = session.process.is === 'running';
      if (isRunning && !wasRunning) rest.serverStarted();
    }),
    new Disposable(() => rest.stop()),
  );
}
