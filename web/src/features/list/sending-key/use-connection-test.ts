import { useState } from 'react';
import type { EmailList, ConnectionTest as Result } from '#shared/list.ts';
import type { Tone } from '#web/components/notice.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { useAction } from '#web/lib/use-action.ts';

/** A test of the sending key with Mailgun, and its result. */
export function useConnectionTest(list: EmailList) {
  const change = useOrganizationChange();
  const [result, setResult] = useState<Result & { of: string }>();
  const { run, isRunning, error } = useAction(
    async () => {
      setResult(undefined);
      const tested = await change('POST /api/email-lists/{list}/test-mailgun-connection', {
        params: { list: list.id },
      });
      setResult({ ...tested, of: testOf(list, tested.testedAt) });
    },
    { failure: 'Failed to test connection. Please try again' },
  );
  const notice = error
    ? ({ tone: 'error', message: error } as const)
    : result?.of === testOf(list) && noticeOf(result);
  return { run, isRunning, notice };
}

/** Identifies a test: a result is hidden once the domain has changed, or a later test exists. */
const testOf = (
  { domain, mailgun_connection_status: { last_tested_at } }: EmailList,
  testedAt = last_tested_at,
) => [domain, testedAt].join(' ');

function noticeOf({ success, connectionValid, message }: Result): { tone: Tone; message: string } {
  if (!success) return { tone: 'warning', message: `Connection test failed. ${message}` };
  return { tone: connectionValid ? 'success' : 'error', message };
}
