import { useEffect, useRef, useState } from 'react';
import { messageOf } from '#web/lib/problem.ts';
import type { ReadFile } from './reading/file.ts';
import { openReader, type Reader } from './reading/reader.ts';

/** The chosen file: what was detected in it, and the reader of its rows. */
export function useFile() {
  const reader = useRef<Reader>(undefined);
  const [reading, setReading] = useState<{ name: string; share: number }>();
  const [file, setFile] = useState<ReadFile>();
  const [error, setError] = useState<string>();

  useEffect(() => () => reader.current?.close(), []);

  /** Returns what was detected in a file; undefined if it could not be read, or if another file was chosen meanwhile. */
  async function read(chosen: File): Promise<ReadFile | undefined> {
    const opened = openReader();
    reader.current = opened;
    setReading({ name: chosen.name, share: 0 });
    try {
      const found = await opened.ask('read', chosen, share => setReading({ name: chosen.name, share }));
      setFile(found);
      return found;
    } catch (problem) {
      if (reader.current === opened) setError(messageOf(problem));
      return undefined;
    } finally {
      if (reader.current === opened) setReading(undefined);
    }
  }

  function close() {
    reader.current?.close();
    reader.current = undefined;
    setFile(undefined);
    setReading(undefined);
    setError(undefined);
  }

  return { reader, reading, file, error, setError, read, close };
}
