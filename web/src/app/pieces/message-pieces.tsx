import { Stack } from '@chakra-ui/react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Failure } from '../../components/failure.tsx';
import { Notice, type Tone } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Problem, UNREACHABLE } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { Row } from './row.tsx';

const tones: Tone[] = ['success', 'error', 'warning', 'info'];
const LONG = 8000;
const DONE = {
  message: 'A toast: done.',
  undo: () => toast('A toast: undone.', 'info'),
  joined: (count: number) => `${count} toasts: done.`,
};

export function MessagePieces() {
  return (
    <Section title="Messages">
      <Stack gap="3">
        {tones.map(tone => (
          <Notice key={tone} tone={tone}>
            <strong>A notice</strong> of the tone “{tone}”, within the page.
          </Notice>
        ))}
      </Stack>
      <Failure problem={new Problem(UNREACHABLE)} onRetry={() => toast('Tried again.', 'info')} />
      <EmptyState
        title="Nothing here yet"
        cause="An empty state says why, and offers the one thing to do."
        action={<Button>Do it</Button>}
      />
      <Spinner />
      <Facts>
        <Fact name="A fact">Its value</Fact>
        <Fact name="Loading">{undefined}</Fact>
      </Facts>
      <Row>
        {tones.map(tone => (
          <Button key={tone} onClick={() => toast(`A toast: ${tone}.`, tone)}>
            Toast: {tone}
          </Button>
        ))}
        <Button onClick={() => toastUndoable(DONE)}>Toast with Undo</Button>
        <Button onClick={() => toast('Stays for eight seconds.', 'info', LONG)}>
          Toast that stays longer
        </Button>
      </Row>
    </Section>
  );
}
