import { type ReactNode, useEffect, useRef } from 'react';
import { store } from './store.ts';

/** An entry of the command palette. It is found by its label, its group and `words`. */
export type Command = {
  id: string;
  group: string;
  label: string;
  words?: string;
  icon?: ReactNode;
  run: () => void;
};

/** A command of a group; the `id` is needed where several have the same label. */
export const commandOf = (
  group: string,
  label: string,
  words: string,
  run: () => unknown,
  id: string | number = label,
): Command => ({ id: `${group} ${id}`, group, label, words, run: () => void run() });

const registered = store<ReadonlyMap<object, readonly Command[]>>(new Map());

/** Registers commands while the calling component is mounted, as they are in its last render. */
export function useCommands(commands: readonly Command[]) {
  const owner = useRef({}).current;
  useEffect(() => registered.set(new Map(registered.get()).set(owner, commands)));
  useEffect(
    () => () => registered.set(new Map([...registered.get()].filter(([key]) => key !== owner))),
    [owner],
  );
}

/** The order of groups, whichever part of the app registered first; what is about the page itself comes second. */
const RANKS: Record<string, number> = {
  Pages: 0,
  'Email lists': 2,
  Automations: 3,
  'Email templates': 4,
  Organizations: 5,
  Commands: 6,
  Legal: 7,
};
const rankOf = ({ group }: Command) => RANKS[group] ?? 1;

export const useRegisteredCommands = () =>
  [...registered.use().values()].flat().sort((a, b) => rankOf(a) - rankOf(b));

/** What is typed in the palette, for commands that the server has to find. */
export const paletteQuery = store('');

/** The commands that have, for each word of the query, a word beginning with it. Labels beginning with the query come first. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const searched = words(query);
  const found = commands.filter(({ label, group, words: more = '' }) => {
    const known = words(`${label} ${group} ${more}`);
    return searched.every(part => known.some(word => word.startsWith(part)));
  });
  const begins = ({ label }: Command) => Number(label.toLowerCase().startsWith(query.trim().toLowerCase()));
  return query.trim() ? found.toSorted((a, b) => begins(b) - begins(a)) : found;
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/@.,_-]+/)
    .filter(Boolean);
