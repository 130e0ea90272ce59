// How much time the client adds to a keystroke, in this process.
//
// A keystroke costs twice: the edit is sent to the server, and a suggestion is asked for. Of the
// second the server's own time does not count: from the moment that the request has left until its
// answer has come.
//
// Example: an edit took 0.2 ms to send; a request 0.3 ms to make, 40 ms at the server, and 0.4 ms
// until VS Code had the items. The samples are 0.2 and 0.7.
//
// Cost: the last kKept samples of each kind. Source of the bound: 5 ms a keystroke.

export const kKept = 2000;
export type CostKind = 'edit' | 'suggestion';

export interface CostSummary {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export class KeystrokeCost {
  private readonly samples: Record<CostKind, number[]> = { edit: [], suggestion: [] };

  add(kind: CostKind, ms: number): void {
    const samples = this.samples[kind];
    samples.push(ms);
    if (samples.length > kKept) samples.shift();
  }

  /** Percentiles by nearest rank; zeros where nothing was measured. */
  summary(kind: CostKind): CostSummary {
    const sorted = [...this.samples[kind]].sort((a, b) => a - b);
    const rank = (p: number): number => sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? 0;
    return { count: sorted.length, p50Ms: rank(0.5), p99Ms: rank(0.99), maxMs: rank(1) };
  }
}
