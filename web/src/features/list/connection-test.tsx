import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailList, ConnectionTest as Result } from '../../../../shared/list.ts';
import { Button } from '../../components/button.tsx';
import { Notice, type Tone } from '../../components/notice.tsx';
import { useOrganizationCall, useRefresh } from '../../lib/data.ts';
import { saidOr } from '../../lib/problem.ts';

const Told = chakra('div', { base: { flexBasis: 'full', order: 1, _empty: { display: 'none' } } });

/** Asks Mailgun whether the key is valid for the domain, and tells what it said. */
export function ConnectionTest({ list }: { list: EmailList }) {
  const call = useOrganizationCall();
  const refresh = useRefresh();
  const [testing, setTesting] = useState(false);
  const [told, setTold] = useState<{ of: string; tone: Tone; message: string }>();

  async function test() {
    setTesting(true);
    setTold(undefined);
    try {
      const result = await call('POST /api/email-lists/{list}/test-mailgun-connection', {
        params: { list: list.id },
      });
      await refresh('GET /api/email-lists/{list}');
      setTold({
        of: testOf(list, result.testedAt),
        tone: toneOf(result),
        message: result.message || 'Connection test failed',
      });
    } catch (problem) {
      const message = saidOr(problem, 'Failed to test connection. Please try again');
      setTold({ of: testOf(list), tone: 'error', message });
    } finally {
      setTesting(false);
    }
  }

  return (
    <>
      <Button busy={testing && 'Testing...'} onClick={test}>
        Test connection
      </Button>
      <Told>{told?.of === testOf(list) && <Notice tone={told.tone}>{told.message}</Notice>}</Told>
    </>
  );
}

/** What a verdict is about: another domain or a later test makes it out of date. */
const testOf = (
  { domain, mailgun_region, mailgun_connection_status: { last_tested_at } }: EmailList,
  testedAt = last_tested_at,
) => [domain, mailgun_region, testedAt].join(' ');

function toneOf({ success, connectionValid }: Result): Tone {
  if (!success) return 'warning';
  return connectionValid ? 'success' : 'error';
}
