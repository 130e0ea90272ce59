// Questions and answers, a line each, at a Unix socket.
import * as net from 'node:net';
import * as readline from 'node:readline';

export class LineSocket {
  private readonly waiting: { readonly answer: (line: string) => void; readonly fail: (error: Error) => void }[] = [];

  private constructor(private readonly socket: net.Socket) {
    socket.on('error', () => {});
    socket.on('close', () => this.waiting.splice(0).forEach(({ fail }) => fail(new Error('the other side has gone'))));
    readline.createInterface({ input: socket }).on('line', (line) => this.waiting.shift()?.answer(line));
  }

  /** Waits until somebody listens at the path. */
  static async connect(path: string, limitMs: number): Promise<LineSocket> {
    const end = Date.now() + limitMs;
    for (;;) {
      const socket = await new Promise<net.Socket | undefined>((resolve) => {
        const attempt = net.connect(path, () => resolve(attempt));
        attempt.once('error', () => resolve(undefined));
      });
      if (socket !== undefined) return new LineSocket(socket);
      if (Date.now() > end) throw new Error(`nobody listens at ${path}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** REQUIRES: the other side answers in the order of the questions. */
  ask(question: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ answer: (line) => resolve(JSON.parse(line)), fail: reject });
      this.socket.write(`${JSON.stringify(question)}\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }
}
