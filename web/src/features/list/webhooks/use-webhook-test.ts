import { useState } from 'react';
import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { serverMessageOr } from '#web/lib/problem.ts';

type TestNotice = { tone: 'success' | 'error' | 'info'; message: string };

/** Sends an example event to the endpoint of a webhook, and shows its response. */
export function useWebhookTest(list: string) {
  const call = useOrganizationCall();
  const [running, setRunning] = useState<string>();
  const [notice, setNotice] = useState<TestNotice>();

  async function run({ id, name }: UnsubscribeWebhook) {
    setRunning(id);
    setNotice({ tone: 'info', message: `Testing ${name}...` });
    try {
      const { success, message } = await call(
        'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test',
        { params: { list, webhook: id } },
      );
      setNotice({ tone: success ? 'success' : 'error', message: `Test of ${name}: ${message}.` });
    } catch (problem) {
      setNotice({ tone: 'error', message: serverMessageOr(problem, 'Failed to test webhook') });
    } finally {
      setRunning(undefined);
    }
  }

  return { run, running, notice };
}
