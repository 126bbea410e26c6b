import { Box, Flex, Input, VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import { serverMessageOr } from '../lib/problem.ts';
import { MOST_EXPORTED, saveCsv, today } from '../lib/save-file.ts';
import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

type Days = { from: string; to: string };
type DaysProps = Days & { onChange: (changed: Partial<Days>) => void };

const NAMES = { from: 'From', to: 'To' };

/** The first and the last day in UTC. On a phone, both share a line, each below its label. */
export function DayFilters({ from, to, onChange }: DaysProps) {
  const days = { from: { value: from, max: to || undefined }, to: { value: to, min: from || undefined } };
  return (
    <Flex gap="3" width={{ base: 'full', sm: 'auto' }}>
      {(['from', 'to'] as const).map(name => (
        <Flex
          key={name}
          direction={{ base: 'column', sm: 'row' }}
          align={{ base: 'stretch', sm: 'center' }}
          gap={{ base: '0.5', sm: '1.5' }}
          flex={{ base: '1 1 0', sm: 'none' }}
          minWidth="0"
          color="fg.muted"
        >
          <Box as="span" aria-hidden>
            {NAMES[name]}
          </Box>
          <Input
            type="date"
            aria-label={`${NAMES[name]}, a day in UTC`}
            width={{ base: 'full', sm: '136px' }}
            {...days[name]}
            onChange={event => onChange({ [name]: event.target.value })}
          />
        </Flex>
      ))}
    </Flex>
  );
}

type ExportProps = {
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
export function ExportButton({ file, noun, running, failure, disabled = false, load }: ExportProps) {
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
