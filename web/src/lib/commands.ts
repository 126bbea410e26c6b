import { type ReactNode, useEffect, useRef } from 'react';
import { store } from './store.ts';

/** An entry of the command palette. The search looks at its label, its group and `words`. */
export type Command = {
  id: string;
  group: string;
  label: string;
  words?: string;
  icon?: ReactNode;
  run: () => void;
};

/** A command of a group. The `id` is needed if several have the same label. */
export const commandOf = (
  group: string,
  label: string,
  words: string,
  run: () => unknown,
  id: string | number = label,
): Command => ({ id: `${group} ${id}`, group, label, words, run: () => void run() });

const registered = store<ReadonlyMap<object, readonly Command[]>>(new Map());

/** Registers commands while the calling component is mounted. Its last render decides which. */
export function useCommands(commands: readonly Command[]) {
  const owner = useRef({}).current;
  useEffect(() => registered.set(new Map(registered.get()).set(owner, commands)));
  useEffect(
    () => () => registered.set(new Map([...registered.get()].filter(([key]) => key !== owner))),
    [owner],
  );
}

/** The order of groups, whichever part of the app registers first. Commands of the page come second. */
const RANKS: Record<string, number> = {
  Pages: 0,
  'Email lists': 2,
  Automations: 3,
  Broadcasts: 4,
  'Email templates': 5,
  Members: 6,
  Organizations: 7,
  Commands: 8,
  Help: 9,
  Legal: 10,
};
const rankOf = ({ group }: Command) => RANKS[group] ?? 1;

export const useRegisteredCommands = () =>
  [...registered.use().values()].flat().sort((a, b) => rankOf(a) - rankOf(b));

/** The text in the palette, for commands that the server searches. */
export const paletteQuery = store('');

/** Each word of the query begins one of theirs. Pages whose name matches come first, then labels that begin with it. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const searched = words(query);
  const isIn = (text: string) => {
    const known = words(text);
    return searched.every(part => known.some(word => word.startsWith(part)));
  };
  const found = commands.filter(({ label, group, words: more = '' }) => isIn(`${label} ${group} ${more}`));
  if (!query.trim()) return found;
  const begins = ({ label }: Command) => label.toLowerCase().startsWith(query.trim().toLowerCase());
  const place = (command: Command) =>
    command.group === 'Pages' && isIn(command.label) ? 0 : begins(command) ? 1 : 2;
  return found.toSorted((a, b) => place(a) - place(b));
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/@.,_-]+/)
    .filter(Boolean);
