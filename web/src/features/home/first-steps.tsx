import { Box, Flex, Text } from '@chakra-ui/react';
import { Circle, CircleCheck } from 'lucide-react';
import type { FirstSteps as Steps } from '../../../../shared/first-steps.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { revalidate, useOrganizationCall } from '../../lib/data.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMay } from '../../lib/use-may.ts';
import { shownSteps } from './step-texts.ts';

const ICON = { width: '18px', height: '18px', mt: '1px' };

/** What a new organization does until its first email is opened. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const may = useMay();
  const { dismiss, isRunning } = useDismissal();
  if (!steps.is_shown) return null;
  const shown = shownSteps(steps, may);
  const done = shown.filter(({ isDone }) => isDone).length;
  const next = shown.find(({ isDone, to }) => !isDone && to);
  return (
    <Section
      title="First steps"
      actions={
        <Flex align="center" gap="3">
          <Text fontSize="sm" color="fg.muted">
            {done} of {shown.length} done
          </Text>
          <Button variant="ghost" loading={isRunning} loadingText="Dismissing..." onClick={dismiss}>
            Dismiss
          </Button>
        </Flex>
      }
    >
      <Panel as="ol" divideY="1px">
        {shown.map(({ step, label, about, isDone, to }) => (
          <Flex
            as="li"
            key={step}
            gap="3"
            px="4"
            py="2.5"
            lineHeight="20px"
            aria-current={step === next?.step ? 'step' : undefined}
          >
            <Box flexShrink="0" _icon={ICON} color={isDone ? 'fg.success' : 'fg.subtle'}>
              {isDone ? <CircleCheck role="img" aria-label="Done" /> : <Circle aria-hidden />}
            </Box>
            <div>
              <Text fontWeight="medium" color={isDone ? 'fg.muted' : undefined}>
                {isDone || !to ? label : <TextLink to={to}>{label}</TextLink>}
              </Text>
              {!isDone && <Text color="fg.muted">{about}</Text>}
            </div>
          </Flex>
        ))}
      </Panel>
    </Section>
  );
}

/** Hides them for all members of the organization, and offers to show them again. */
function useDismissal() {
  const call = useOrganizationCall();
  async function set(dismissed: boolean) {
    await call('PUT /api/first-steps', { body: { dismissed } });
    await revalidate('GET /api/first-steps');
  }
  const { run, isRunning } = useAction(set);

  async function dismiss() {
    if (!(await run(true))) {
      toast('Failed to dismiss the first steps. Please try again.', 'error');
      return;
    }
    const undo = () =>
      void set(false).catch(problem =>
        toast(serverMessageOr(problem, 'Failed to show the first steps. Please try again.'), 'error'),
      );
    toastUndoable({ message: 'The first steps are hidden for everybody here.', undo });
  }

  return { dismiss: () => void dismiss(), isRunning };
}
