// Questions and answers, a line each, at a Unix socket.
import * as net from 'node:net';
import * as readline from 'node:readline';

export class LineSocket {
  private readonly waiting: ((line: string) => void)[] = [];

  private constructor(private readonly socket: net.Socket) {
    socket.on('error', () => {});
    readline.createInterface({ input: socket }).on('line', (line) => this.waiting.shift()?.(line));
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
    return new Promise((resolve) => {
      this.waiting.push((line) => resolve(JSON.parse(line)));
      this.socket.write(`${JSON.stringify(question)}\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }
}
