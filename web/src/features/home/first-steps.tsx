import { Box, Flex, Text } from '@chakra-ui/react';
import { Circle, CircleCheck } from 'lucide-react';
import type { FirstSteps as Steps } from '#shared/first-steps.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { revalidate, useOrganizationCall } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { shownSteps } from './step-texts.ts';

const ICON = { width: '18px', height: '18px', mt: '1px' };

/** The steps of a new organization until its first email is opened. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const may = useMay();
  const { dismiss, show, isRunning } = useDismissal();
  useCommands(
    steps.is_dismissed ? [commandOf('Commands', SHOW_FIRST_STEPS, 'onboarding getting started', show)] : [],
  );
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
            bg={step === next?.step ? 'bg.subtle' : undefined}
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

const SHOW_FIRST_STEPS = 'Show first steps';

/** Hides the steps for all members of the organization. Undo and the command palette show them again. */
function useDismissal() {
  const call = useOrganizationCall();
  async function set(dismissed: boolean): Promise<Steps | undefined> {
    await call('PUT /api/first-steps', { body: { dismissed } });
    const [steps] = await revalidate('GET /api/first-steps');
    return steps;
  }
  const { run, isRunning } = useAction(() => set(true));

  async function dismiss() {
    if (!(await run())) {
      toast('Failed to dismiss the first steps. Please try again.', 'error');
      return;
    }
    toastUndoable({
      message: `The first steps are hidden for everybody here. “${SHOW_FIRST_STEPS}” in the command palette (Ctrl-K) brings them back.`,
      undo: () => void show(),
    });
  }

  async function show() {
    try {
      const steps = await set(false);
      if (steps && !steps.is_shown) toast('All of the first steps are done.', 'info');
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to show the first steps. Please try again.'), 'error');
    }
  }

  return { dismiss: () => void dismiss(), show, isRunning };
}
