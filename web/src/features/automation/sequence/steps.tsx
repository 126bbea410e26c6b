import { Box, Flex, Text } from '@chakra-ui/react';
import { type ComponentType, useState } from 'react';
import type { AutomationContent } from '#shared/automation-content.ts';
import { MOST_STEPS } from '#shared/limits.ts';
import type { Sequence, SequencePeople } from '#shared/sequence.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { useNotSent } from '#web/entities/automation/not-sent.tsx';
import { isWritten, SEQUENCE } from '#web/entities/automation/sequence.tsx';
import { useCachedData, useOrganizationData } from '#web/lib/data.ts';
import { capitalized, formatNumber, peopleText, plural } from '#web/lib/format.ts';
import { toast } from '#web/lib/toasts.ts';
import { useRepeat } from '#web/lib/use-action.ts';
import { stepText } from '../schedule-texts.ts';
import { StepCard, type StepDialog } from './step-card.tsx';
import { type Step, useSteps } from './use-steps.ts';

const DelayDialog = onDemand(() => import('./delay-dialog.tsx'));
const LinkContentDialog = onDemand(() => import('../link-content-dialog.tsx'));
const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));

/** The text and the address of the button of an email. */
export type EmailButton = { cta_text: string; cta_url: string };

export type WriterProps = {
  /** The id of the automation whose email it is. */
  automation: string;
  /** When it goes. */
  when: string;
  /** The values at first. */
  button: EmailButton | undefined;
  /** Another step has no email yet, which can be written next. */
  hasNext: boolean;
  onSaved: (button: EmailButton, continues: boolean) => void;
  onClose: () => void;
};

type Props = { sequence: Sequence; Writer: ComponentType<WriterProps> };

/** The steps as a line in time; each is written, moved and removed here. */
export function Steps({ sequence, Writer }: Props) {
  const { steps } = sequence;
  const [shown, setShown] = useState<{ dialog: StepDialog | 'add'; step?: Step }>();
  const [button, setButton] = useState<EmailButton>();
  /** The steps whose emails were written here, with which the sequence may still load. */
  const [done, setDone] = useState<string[]>([]);
  const close = () => setShown(undefined);
  const ids = steps.map(({ automation_id }) => automation_id);
  // Those of the others stay while a step is added.
  const totals = useOrganizationData(
    steps.length > 0 ? 'GET /api/reporting/automations' : undefined,
    { query: { automations: ids.join() } },
    { keepPreviousData: true },
  );
  const { notSentOf } = useNotSent(ids);
  const people = useOrganizationData(steps.length > 0 ? 'GET /api/sequences/{sequence}/people' : undefined, {
    params: { sequence: sequence.id },
  });
  const isFull = steps.length >= MOST_STEPS;
  const add = (
    <Button right={SEQUENCE.right} disabled={isFull} onClick={() => setShown({ dialog: 'add' })}>
      + Add step
    </Button>
  );
  const { dialog, step } = shown ?? {};
  const next =
    step &&
    steps.find(other => !isWritten(other) && ![...done, step.automation_id].includes(other.automation_id));
  const written = useCachedData('GET /api/automations/{automation}/content', {
    params: { automation: steps.find(isWritten)?.automation_id ?? '' },
  });

  return (
    <>
      {steps.length === 0 ? (
        <EmptyState
          title="No steps yet"
          cause="Each step is an email, a number of days after the sequence has started for a person."
          action={add}
        />
      ) : (
        <Box as="ol" listStyleType="none" aria-label="Steps">
          {steps.map(one => (
            <StepCard
              key={one.automation_id}
              step={one}
              sequence={sequence}
              totals={totals.data?.automations.find(
                ({ automation_id }) => automation_id === one.automation_id,
              )}
              notSent={notSentOf(one.automation_id)}
              before={people.data && beforeText(people.data, one.automation_id)}
              onOpen={opened => setShown({ dialog: opened, step: one })}
            />
          ))}
          <Flex as="li" align="center" gap="3" ps="8">
            {add}
            {isFull && (
              <Text fontSize="sm" color="fg.muted">
                A sequence has at most {plural(MOST_STEPS, 'step')}.
              </Text>
            )}
          </Flex>
        </Box>
      )}
      <PeopleNote {...people} />
      {dialog === 'write' && step && (
        <Writer
          automation={step.automation_id}
          when={capitalized(stepText(step, sequence))}
          button={button ?? buttonIn(written)}
          hasNext={next !== undefined}
          onSaved={(saved, continues) => {
            setButton(saved);
            setDone([...done, step.automation_id]);
            setShown(continues && next ? { dialog: 'write', step: next } : undefined);
          }}
          onClose={close}
        />
      )}
      {(dialog === 'delay' || dialog === 'add') && (
        <DelayDialog sequence={sequence} step={step} onClose={close} />
      )}
      {dialog === 'link' && step && (
        <LinkContentDialog
          automation={{ id: step.automation_id, name: capitalized(stepText(step, sequence)) }}
          onClose={close}
        />
      )}
      {dialog === 'preview' && step && (
        <PreviewDialog
          automation={{ id: step.automation_id, name: capitalized(stepText(step, sequence)) }}
          onClose={close}
        />
      )}
      {dialog === 'remove' && step && <RemoveStep sequence={sequence} step={step} onClose={close} />}
    </>
  );
}

/** How many people get a step next; of a sequence that is inactive, as if it were activated. */
function beforeText({ steps, sampled, counted_share }: SequencePeople, step: string): string | undefined {
  const count = steps.find(({ automation_id }) => automation_id === step)?.people ?? 0;
  const precision = counted_share < 1 ? 'at least ' : sampled ? 'about ' : '';
  if (count === 0) return precision ? undefined : 'Nobody before it';
  return capitalized(`${precision}${peopleText(count)} before it`);
}

type PeopleProps = { data?: SequencePeople | undefined; error?: unknown; mutate: () => Promise<unknown> };

/** How exact the numbers of people are, or why there are none. */
function PeopleNote({ data, error, mutate }: PeopleProps) {
  const { isRepeating, repeat } = useRepeat(mutate);
  const sampled = data?.sampled;
  if (!sampled && (data || !error)) return null;
  return (
    <Flex ps="8" mt="2" gap="3" align="center" fontSize="sm" color="fg.muted">
      {sampled ? (
        `Estimated from ${formatNumber(sampled.people)} of ${plural(sampled.of, 'member')}: a number may be ${formatNumber(sampled.margin)} more or less.`
      ) : (
        <>
          <Text>How many people are before each step could not be counted.</Text>
          <Button variant="ghost" loading={isRepeating} loadingText="Trying..." onClick={() => void repeat()}>
            Try again
          </Button>
        </>
      )}
    </Flex>
  );
}

/** Most emails of a sequence lead to the same page. */
function buttonIn(content: AutomationContent | undefined): EmailButton | undefined {
  const texts = content?.templates.find(({ is_active }) => is_active)?.texts;
  return texts ? { cta_text: texts.cta_text ?? '', cta_url: texts.cta_url ?? '' } : undefined;
}

/** A step that has an email loses it, so that is asked about. */
function RemoveStep({ sequence, step, onClose }: { sequence: Sequence; step: Step; onClose: () => void }) {
  const { remove } = useSteps(sequence);

  async function confirmed() {
    await remove(step.automation_id);
    toast('The step was removed.');
  }

  return (
    <ConfirmDialog
      title="Remove step?"
      confirm="Remove step"
      loadingText="Removing..."
      failure="Failed to remove the step. Please try again."
      onConfirm={confirmed}
      onClose={onClose}
    >
      <p>{capitalized(stepText(step, sequence))}: nobody gets this email any more.</p>
      <Text mt="2">
        Its templates stay, and so does what it has sent in the log and in reporting. This cannot be undone.
      </Text>
    </ConfirmDialog>
  );
}
