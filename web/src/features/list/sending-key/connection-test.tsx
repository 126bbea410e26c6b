import { useState } from 'react';
import type { EmailList, ConnectionTest as Result } from '../../../../../shared/list.ts';
import { Button } from '../../../components/button.tsx';
import { Notice, type Tone } from '../../../components/notice.tsx';
import { useOrganizationChange } from '../../../lib/data.ts';
import { serverMessageOr } from '../../../lib/problem.ts';

/** Tests the sending key with Mailgun, and shows the result. */
export function ConnectionTest({ list }: { list: EmailList }) {
  const change = useOrganizationChange();
  const [testing, setTesting] = useState(false);
  const [notice, setNotice] = useState<{ test: string; tone: Tone; message: string }>();

  async function run() {
    setTesting(true);
    setNotice(undefined);
    try {
      const result = await change('POST /api/email-lists/{list}/test-mailgun-connection', {
        params: { list: list.id },
      });
      setNotice({
        test: testOf(list, result.testedAt),
        tone: toneOf(result),
        message: result.success ? result.message : `Connection test failed. ${result.message}`,
      });
    } catch (problem) {
      const message = serverMessageOr(problem, 'Failed to test connection. Please try again');
      setNotice({ test: testOf(list), tone: 'error', message });
    } finally {
      setTesting(false);
    }
  }

  return (
    <>
      <Button loading={testing} loadingText="Testing..." onClick={run}>
        Test connection
      </Button>
      {notice?.test === testOf(list) && (
        <Notice tone={notice.tone} flexBasis="full" order="1">
          {notice.message}
        </Notice>
      )}
    </>
  );
}

/** Identifies a test: a result is hidden once the domain or the region has changed, or a later test exists. */
const testOf = (
  { domain, mailgun_region, mailgun_connection_status: { last_tested_at } }: EmailList,
  testedAt = last_tested_at,
) => [domain, mailgun_region, testedAt].join(' ');

function toneOf({ success, connectionValid }: Result): Tone {
  if (!success) return 'warning';
  return connectionValid ? 'success' : 'error';
}
