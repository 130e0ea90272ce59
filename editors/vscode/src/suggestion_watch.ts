// What passes between VS Code and the client at a keystroke: how long the client takes itself, and
// what came of it.
//
// An edit and a question pass through here on their way. Where completion is off for the file, no
// question is asked. A question that a person has asked and that has no answer is told on, so that
// the person hears why.
import {
  InlineCompletionTriggerKind,
  type CancellationToken,
  type InlineCompletionContext,
  type InlineCompletionItem,
  type InlineCompletionList,
  type Position,
  type ProviderResult,
  type TextDocument,
} from 'vscode';
import { InlineCompletionRequest, type Middleware } from 'vscode-languageclient/node';

import type { KeystrokeCost } from './keystroke_cost';

type InlineResult = InlineCompletionItem[] | InlineCompletionList | null | undefined;
type AskServer = (
  document: TextDocument,
  position: Position,
  context: InlineCompletionContext,
  token: CancellationToken,
) => ProviderResult<InlineCompletionItem[] | InlineCompletionList>;

export interface Watcher {
  isOff(document: TextDocument): boolean;
  onAnswer(document: TextDocument, offered: boolean, byPerson: boolean): void;
  now(): number;
}

// When a request left, and when its answer came.
interface Trip {
  left: number;
  back: number;
}

export function suggestionMiddleware(watcher: Watcher, cost: KeystrokeCost): Middleware {
  const trips = new WeakMap<CancellationToken, Trip>();

  const suggest = async (
    document: TextDocument,
    position: Position,
    context: InlineCompletionContext,
    token: CancellationToken,
    next: AskServer,
  ): Promise<InlineResult> => {
    if (watcher.isOff(document)) return null;
    const begin = watcher.now();
    const result = await next(document, position, context, token);
    const trip = trips.get(token);
    if (trip !== undefined) cost.add('suggestion', trip.left - begin + (watcher.now() - trip.back));
    const items = Array.isArray(result) ? result : (result?.items ?? []);
    if (!token.isCancellationRequested) {
      const byPerson = context.triggerKind === InlineCompletionTriggerKind.Invoke;
      watcher.onAnswer(document, items.length > 0, byPerson);
    }
    return result;
  };

  return {
    didChange: (event, next) => {
      const begin = watcher.now();
      const sent = next(event);
      cost.add('edit', watcher.now() - begin);
      return sent;
    },
    provideInlineCompletionItems: suggest,
    provideCompletionItem: (document, position, context, token, next) =>
      watcher.isOff(document) ? null : next(document, position, context, token),
    sendRequest: async (type, param, token, next) => {
      const method = typeof type === 'string' ? type : type.method;
      if (token === undefined || method !== InlineCompletionRequest.method) return next(type, param, token);
      const answer = next(type, param, token);
      const trip: Trip = { left: watcher.now(), back: 0 };
      trips.set(token, trip);
      try {
        return await answer;
      } finally {
        trip.back = watcher.now();
      }
    },
  };
}
