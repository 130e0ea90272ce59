// The command "Doctor": what `tenon doctor` says, as a document to read.
import { EventEmitter, Uri, window, workspace, type Disposable, type TextDocumentContentProvider } from 'vscode';

import { searchProgram } from './machine';
import { wordsOf } from './program_run';

const kUri = Uri.parse('tenon:tenon doctor');

export class Doctor implements TextDocumentContentProvider, Disposable {
  private readonly changes = new EventEmitter<Uri>();
  private readonly registration: Disposable;
  readonly onDidChange = this.changes.event;
  private text = '';

  constructor() {
    this.registration = workspace.registerTextDocumentContentProvider(kUri.scheme, this);
  }

  provideTextDocumentContent(): string {
    return this.text;
  }

  async show(): Promise<void> {
    const search = await searchProgram();
    this.text =
      'program' in search
        ? `${search.program} doctor\n\n${await wordsOf(search.program, ['doctor'])}`
        : [search.fault, 'looked for:', ...search.searched, '', 'Run the command "tenon: Find or install the program".'].join('\n');
    this.changes.fire(kUri);
    await window.showTextDocument(await workspace.openTextDocument(kUri), { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}
