import { VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { serverMessageOr } from '../lib/problem.ts';
import { MOST_EXPORTED, saveCsv, today } from '../lib/save-file.ts';
import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

type Props = {
  /** The name of the file, before the day. */
  file: string;
  /** What a row is, in the plural. */
  noun: string;
  running: string;
  failure: string;
  disabled?: boolean;
  /** Loads all rows, page by page, the newest first, and tells how many there are so far. */
  load: (
    signal: AbortSignal,
    onProgress: (count: number) => void,
  ) => Promise<{ rows: string[][]; isComplete: boolean }>;
};

/** Exports all that the filters of a page find to a file, with its progress. Pressing it again stops it. */
export function ExportButton({ file, noun, running, failure, disabled = false, load }: Props) {
  const [count, setCount] = useState<number>();
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  async function start() {
    const abort = new AbortController();
    run.current = abort;
    setCount(0);
    try {
      const { rows, isComplete } = await load(
        abort.signal,
        loaded => !abort.signal.aborted && setCount(loaded),
      );
      if (abort.signal.aborted) return;
      saveCsv(`${file}_${today()}.csv`, rows);
      if (!isComplete) {
        toast(`The file has the newest ${formatNumber(MOST_EXPORTED)} ${noun}.`, 'warning', 6000);
      }
    } catch (problem) {
      if (!abort.signal.aborted) toast(serverMessageOr(problem, failure), 'error');
    } finally {
      if (run.current === abort) {
        run.current = undefined;
        setCount(undefined);
      }
    }
  }

  function stop() {
    run.current?.abort();
    run.current = undefined;
    setCount(undefined);
  }

  const isRunning = count !== undefined;
  return (
    <>
      <Button disabled={disabled} onClick={isRunning ? stop : () => void start()}>
        {isRunning ? `Stop (${formatNumber(count)} so far)` : 'Export to CSV'}
      </Button>
      <VisuallyHidden aria-live="polite">{isRunning && running}</VisuallyHidden>
    </>
  );
}
