// What the status bar says of tenon: a short text, the reason, and what the user can do.
//
// Example: the server says {"state": "ready"} and the last suggestion of this document was
// guaranteed for a region alone. The text is `✓ tenon: region`, and the tooltip says what that means.
//
// Rules, the first that holds decides:
//   no program              warning  find or install it
//   the server has failed   error    the log, another start
//   starting, loading       spinner  with percent where the server tells them
//   no model                error    what the server advises
//   off                     circle   switch it on
//   off here                circle   why, and how to switch it on
//   busy, ready             spinner or tick, with `region`, `syntax only`, `unchecked` where the
//                           promise is weaker than a whole file

/** What the client knows of the server's process. */
export type Process =
  | { readonly is: 'missing'; readonly fault: string }
  | { readonly is: 'starting' }
  | { readonly is: 'running' }
  | { readonly is: 'stopped' }
  | { readonly is: 'failed'; readonly fault: string };

/** What `tenon/status` says. */
export interface ServerStatus {
  readonly state: 'off' | 'loading' | 'failed' | 'busy' | 'ready';
  readonly reason: string;
  readonly action?: string;
  /** Of loading, 0 to 100. */
  readonly percent?: number;
  /** Of the document that was asked about. */
  readonly document?: DocumentStatus;
}

/** What the server says of one document. */
export interface DocumentStatus {
  readonly state: 'off' | 'ready';
  /** Why it is off, or why nothing was offered last. */
  readonly reason?: string;
  readonly action?: string;
  /** What the last suggestion was guaranteed for; absent before the first. */
  readonly guarantee?: 'file' | 'region' | 'syntax' | 'none';
}

export interface Situation {
  readonly process: Process;
  readonly server?: ServerStatus;
  /** The document before the user; absent: none that is completed. */
  readonly document?: { readonly languageId: string; readonly fileIsOff: boolean };
}

export interface StatusView {
  readonly text: string;
  readonly reason: string;
  readonly action: string;
  readonly severity: 'none' | 'warning' | 'error';
}

const kGuarantees: Readonly<Record<string, { text: string; reason: string }>> = {
  file: { text: 'tenon', reason: 'The whole file parses with what is offered.' },
  region: {
    text: 'tenon: region',
    reason: 'The file is broken elsewhere. What is offered parses with the largest part around the cursor.',
  },
  syntax: {
    text: 'tenon: syntax only',
    reason: 'No grammar could prove this place. What is offered adds no syntax error that tree-sitter sees.',
  },
  none: { text: 'tenon: unchecked', reason: 'Nothing is known of this language: what is offered is the model\'s alone.' },
};

export function statusView(situation: Situation): StatusView {
  return viewOfProcess(situation.process) ?? viewOfServer(situation);
}

function view(
  text: string,
  reason: string,
  action = '',
  severity: StatusView['severity'] = 'none',
): StatusView {
  return { text, reason, action, severity };
}

function viewOfProcess(process: Process): StatusView | undefined {
  switch (process.is) {
    case 'missing':
      return view('$(warning) tenon', process.fault, 'Find or install the program.', 'warning');
    case 'failed':
      return view('$(error) tenon', process.fault, 'Read the log, or restart the server.', 'error');
    case 'stopped':
      return view('$(circle-slash) tenon', 'The server does not run.', 'Restart the server.');
    case 'starting':
      return view('$(loading~spin) tenon', 'The server starts.');
    case 'running':
      return undefined;
  }
}

function viewOfServer(situation: Situation): StatusView {
  // A server that says nothing of itself runs all the same.
  const server: ServerStatus = situation.server ?? { state: 'ready', reason: 'the server runs' };
  switch (server.state) {
    case 'loading': {
      const percent = server.percent === undefined ? '' : ` ${server.percent} %`;
      return view(`$(loading~spin) tenon: loading${percent}`, server.reason || 'The model is loading.');
    }
    case 'failed':
      return view('$(error) tenon', server.reason, server.action ?? 'Choose a model.', 'error');
    case 'off':
      return view('$(circle-slash) tenon', server.reason, server.action ?? 'Switch it on.');
    case 'busy':
    case 'ready':
      return viewOfDocument(server, situation.document);
  }
}

function viewOfDocument(server: ServerStatus, document: Situation['document']): StatusView {
  if (document === undefined) return view('$(check) tenon', `The model is ready: ${server.reason}`);
  if (document.fileIsOff) {
    return view('$(circle-slash) tenon: off here', 'It is switched off for this file.', 'Switch it on for this file.');
  }
  const of = server.document;
  if (of?.state === 'off') {
    return view(
      '$(circle-slash) tenon: off here',
      of.reason ?? `Documents in '${document.languageId}' are not completed.`,
      of.action ?? 'Switch it on in the menu or the settings.',
    );
  }
  const icon = server.state === 'busy' ? '$(loading~spin)' : '$(check)';
  // Before the first suggestion nothing is promised yet.
  const guarantee = kGuarantees[of?.guarantee ?? ''] ?? { text: 'tenon', reason: `The model is ready: ${server.reason}.` };
  const nothing = of?.reason === undefined ? '' : ` The last request had no answer: ${of.reason}.`;
  return view(`${icon} ${guarantee.text}`, guarantee.reason + nothing);
}
