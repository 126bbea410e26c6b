import { useEffect } from 'react';
import { store } from './store.ts';

/** Something that can be found and done from the command palette. */
export type Command = { id: string; group: string; label: string; words?: string; run: () => void };

const registered = store<ReadonlyMap<object, readonly Command[]>>(new Map());

/** Offers commands for as long as the component that calls it is shown. Keep the array stable. */
export function useCommands(commands: readonly Command[]) {
  useEffect(() => {
    const owner = {};
    registered.set(new Map(registered.get()).set(owner, commands));
    return () => {
      const rest = new Map(registered.get());
      rest.delete(owner);
      registered.set(rest);
    };
  }, [commands]);
}

export const useOfferedCommands = () => [...registered.use().values()].flat();

/** Those in which every typed word begins a word; those whose label begins with what was typed come first. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = words(typed);
  const found = commands.filter(({ label, group, words: more = '' }) => {
    const offered = words(`${label} ${group} ${more}`);
    return wanted.every(part => offered.some(word => word.startsWith(part)));
  });
  const begins = ({ label }: Command) => Number(label.toLowerCase().startsWith(typed.trim().toLowerCase()));
  return typed.trim() ? found.toSorted((a, b) => begins(b) - begins(a)) : found;
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/@.,_-]+/)
    .filter(Boolean);
