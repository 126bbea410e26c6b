import { VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { today } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toasts.ts';
import type { SendsTable } from './send-filters.tsx';
import { checked, SENDS, sendsQuery } from './use-sends.ts';

/** Exports all emails that the filters find to a file, with its progress. Pressing it again stops it. */
export function ExportButton(table: Pick<SendsTable, 'query'>) {
  const query = sendsQuery(table);
  const call = useOrganizationCall();
  const [count, setCount] = useState<number>();
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  async function start() {
    const abort = new AbortController();
    run.current = abort;
    setCount(0);
    try {
      const [{ allSends, rowsOfSends, MOST_ROWS }, { saveCsv }] = await Promise.all([
        import('./send-csv.ts'),
        import('#web/lib/save-file.ts'),
      ]);
      const { sends, isComplete } = await allSends(
        async page => checked(await call(SENDS, { query: { ...query, ...page }, signal: abort.signal })),
        setCount,
      );
      if (abort.signal.aborted) return;
      saveCsv(`sending-log_${today()}.csv`, rowsOfSends(sends));
      if (!isComplete) toast(`The file has the newest ${formatNumber(MOST_ROWS)} emails.`, 'warning', 6000);
    } catch (problem) {
      if (!abort.signal.aborted) {
        toast(serverMessageOr(problem, 'Failed to export the sending log. Please try again.'), 'error');
      }
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
      <Button disabled={!query} onClick={isRunning ? stop : () => void start()}>
        {isRunning ? `Stop (${formatNumber(count)} so far)` : 'Export to CSV'}
      </Button>
      <VisuallyHidden aria-live="polite">{isRunning && 'The sending log is being exported.'}</VisuallyHidden>
    </>
  );
}
