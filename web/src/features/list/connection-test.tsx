import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import type { EmailList, ConnectionTest as Result } from '../../../../shared/list.ts';
import { Button } from '../../components/button.tsx';
import { Notice, type Tone } from '../../components/notice.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { saidOr } from '../../lib/problem.ts';
import { useList } from './use-lists.ts';

const Told = chakra('div', { base: { flexBasis: 'full', order: 1, _empty: { display: 'none' } } });

/** Asks Mailgun whether the key is valid for the domain, and tells what it said. */
export function ConnectionTest({ list }: { list: EmailList }) {
  const call = useOrganizationCall();
  const { refresh } = useList(list.id);
  const [testing, setTesting] = useState(false);
  const [told, setTold] = useState<{ tone: Tone; message: string }>();

  async function test() {
    setTesting(true);
    setTold(undefined);
    try {
      const result = await call('POST /api/email-lists/{list}/test-mailgun-connection', {
        params: { list: list.id },
      });
      await refresh();
      setTold({ tone: toneOf(result), message: result.message || 'Connection test failed' });
    } catch (problem) {
      setTold({ tone: 'error', message: saidOr(problem, 'Failed to test connection. Please try again') });
    } finally {
      setTesting(false);
    }
  }

  return (
    <>
      <Button busy={testing && 'Testing...'} onClick={test}>
        Test connection
      </Button>
      <Told>{told && <Notice tone={told.tone}>{told.message}</Notice>}</Told>
    </>
  );
}

function toneOf({ success, connectionValid }: Result): Tone {
  if (!success) return 'warning';
  return connectionValid ? 'success' : 'error';
}
