import { Box, Flex, Text } from '@chakra-ui/react';
import { Circle, CircleCheck } from 'lucide-react';
import type { FirstStep, FirstSteps as Steps } from '#shared/first-steps.ts';
import type { Action } from '#shared/permissions.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { revalidate, useOrganizationCall } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';

const EDIT = 'lists:edit';

const ICON = { width: '18px', height: '18px', mt: '1px' };

export function FirstSteps({ steps }: { steps: Steps }) {
  const may = useMay();
  const { dismiss, show, isRunning } = useDismissal();
  useCommands(
    steps.is_dismissed && may(EDIT)
      ? [commandOf('Commands', SHOW_FIRST_STEPS, 'onboarding getting started', show)]
      : [],
  );
  if (!steps.is_shown || !may(EDIT)) return null;
  const shown = shownSteps(steps, may);
  const done = shown.filter(({ isDone }) => isDone).length;
  const next = shown.find(isNext);
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
        {shown.map(step => (
          <Flex
            as="li"
            key={step.title}
            gap="3"
            p="4"
            flexWrap={{ base: 'wrap', sm: 'nowrap' }}
            aria-current={step === next ? 'step' : undefined}
            bg={step === next ? 'bg.subtle' : undefined}
          >
            <Box flexShrink="0" _icon={ICON} color={step.isDone ? 'fg.success' : 'fg.subtle'}>
              {step.isDone ? <CircleCheck role="img" aria-label="Done" /> : <Circle aria-hidden />}
            </Box>
            <Box flex="1" minWidth={{ base: 'calc(100% - 44px)', sm: '0' }}>
              <Text fontWeight="medium" color={step.isDone ? 'fg.muted' : undefined}>
                {step.title}
              </Text>
              {!step.isDone && <Text color="fg.muted">{step.about}</Text>}
            </Box>
            {!step.isDone && step.to && (
              <ButtonLink
                to={step.to}
                variant={step === next ? 'solid' : 'outline'}
                ml={{ base: '30px', sm: '0' }}
              >
                {step.label}
              </ButtonLink>
            )}
          </Flex>
        ))}
      </Panel>
    </Section>
  );
}

/** The first step that is not done and that can be done now. */
export function firstStepLeft(steps: Steps, may: (action: Action) => boolean): ShownStep | undefined {
  if (!steps.is_shown || !may(EDIT)) return undefined;
  return shownSteps(steps, may).find(isNext);
}

const isNext = ({ isDone, to }: ShownStep) => !isDone && to !== undefined;

export const FirstStepPanel = ({ title, about, to = '', label }: ShownStep) => (
  <Panel display="flex" flexWrap="wrap" alignItems="center" gap="4" p="4" mb="8">
    <Box flex="1" minWidth="240px">
      <Text fontWeight="medium">{`Next: ${title.toLowerCase()}`}</Text>
      <Text color="fg.muted">{about}</Text>
    </Box>
    <ButtonLink to={to} variant="solid">
      {label}
    </ButtonLink>
  </Panel>
);

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

type StepText = {
  /** In the words of the button to which it leads. */
  label: string;
  about: string;
  /** The path where it is done; undefined while something else has to be done first. */
  to: (of: { list: string | null; automation: string | null }) => string | null | undefined;
  action?: Action;
};

const TEXTS: Record<FirstStep, StepText> = {
  content: {
    label: 'Create an email template',
    about: 'Begin with an example, and send a test to yourself: nothing else has to be set up for that.',
    to: () => paths.newEmailTemplate(),
  },
  list: {
    label: 'Create list',
    about: 'A list holds the contacts that you send to from one of your domains.',
    to: () => paths.newList(),
  },
  key: {
    label: 'Set the sending key',
    about:
      'With the sending key of your domain, Mailgun accepts the emails of the list. For Amazon SES, verify the domain there. Then test the connection.',
    to: ({ list }) => list && dialogPath('sending', list),
    action: 'sending-key:edit',
  },
  members: {
    label: 'Import members',
    about: 'From a CSV file, one by one on the page of the list, or from your own systems by the API.',
    to: ({ list }) => list && paths.importMembers(list),
  },
  automation: {
    label: 'Create an automation',
    about: 'An automation says whom to email and when, and which templates or assets to send.',
    to: ({ automation }) => (automation ? paths.automation(automation) : paths.newAutomation()),
  },
  simulation: {
    label: 'Simulate it',
    about: 'See who would get an email in the next 24 hours, before anybody does.',
    to: ({ automation }) => automation && dialogPath('simulation', automation),
  },
  activation: {
    label: 'Activate it',
    about: 'From then on, each member gets an email as soon as one is due.',
    to: ({ automation }) => automation && paths.automation(automation),
  },
  sent: {
    label: 'Sending log',
    about:
      'The first email is sent by itself, when it is due. The sending log shows it, or why it was not sent.',
    to: () => paths.sendingLog(),
  },
  opened: {
    label: 'Sending log',
    about:
      'The first email is sent. Its opens, its clicks and the value they bring are counted here, and in Reporting.',
    to: () => paths.sendingLog(),
  },
};

const STEPS: { title: string; parts: FirstStep[] }[] = [
  { title: 'Write an email', parts: ['content'] },
  { title: 'Set up a list', parts: ['list', 'key'] },
  { title: 'Add people', parts: ['members'] },
  { title: 'Send', parts: ['automation', 'simulation', 'activation', 'sent', 'opened'] },
];

type ShownStep = { title: string; label: string; about: string; isDone: boolean; to: string | undefined };

/** Each with the first of its parts that the user may do and that is not done. */
export function shownSteps(
  { steps, list_id, automation_id }: Steps,
  may: (action: Action) => boolean,
): ShownStep[] {
  const left = new Set(steps.flatMap(({ step, is_done }) => (is_done ? [] : [step])));
  return STEPS.map(({ title, parts }) => {
    const allowed = parts.filter(part => TEXTS[part].action === undefined || may(TEXTS[part].action));
    const part = allowed.find(part => left.has(part));
    const { label, about, to } = TEXTS[part ?? (allowed[0] as FirstStep)];
    const place = to({ list: list_id, automation: automation_id });
    return { title, label, about, isDone: part === undefined, to: place ?? undefined };
  });
}
