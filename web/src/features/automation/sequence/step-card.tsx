import { Badge, Box, chakra, Flex, Grid, Stack, Text } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AutomationContent } from '#shared/automation-content.ts';
import { percentage } from '#shared/report/figures.ts';
import type { TotalsOfAutomation } from '#shared/reporting.ts';
import type { Sequence } from '#shared/sequence.ts';
import { Amount } from '#web/components/amount.tsx';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { MenuButton } from '#web/components/menu.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { type NotSent, NotSentLink, NotSentText } from '#web/entities/automation/not-sent.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { isWritten, SEQUENCE } from '#web/entities/automation/sequence.tsx';
import { SHARED, SharedNote } from '#web/entities/automation/shared-counts.tsx';
import { wordingPath } from '#web/entities/content/content.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { capitalized, formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { toastUndoable } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { choicesOf, emailAt, firstPlace } from '../email-stepper.tsx';
import { stepText } from '../schedule-texts.ts';
import { type Step, toastFailure, useSteps } from './use-steps.ts';

const EmailThumbnail = onDemand(
  async () => ({ default: (await import('#web/entities/email/email-preview.tsx')).RenderedThumbnail }),
  null,
);

export type StepDialog = 'write' | 'delay' | 'link' | 'preview' | 'remove';

type Props = {
  step: Step;
  sequence: Sequence;
  /** What it has sent; undefined while that is not known. */
  totals: TotalsOfAutomation | undefined;
  notSent: NotSent | undefined;
  /** "12 people before it". */
  before: string | undefined;
  onOpen: (dialog: StepDialog) => void;
};

/** A step on the line: when it goes, its email, and what can be done with it. */
export function StepCard({ step, sequence, totals, notSent, before, onOpen }: Props) {
  const { automation_id: id, active } = step;
  const { data: content, error } = useOrganizationData('GET /api/automations/{automation}/content', {
    params: { automation: id },
  });
  const when = capitalized(stepText(step, sequence));
  const email = content && emailOf(content);
  const isLinked = content !== undefined && content.templates.length + content.assets.length > 0;
  // Known before the email is, so that nothing moves.
  const hasPicture = isWritten(step);
  const edited = content && editedTemplate(content);
  const hasSent = totals !== undefined && totals.sent > 0;
  const isLoading = hasPicture && !error && (!content || !totals);
  const { isRemoving, remove } = useRemoval(sequence, step);
  return (
    <Box as="li" position="relative" ps="8" pb="4" _before={LINE} _after={DOT}>
      <Flex wrap="wrap" align="center" columnGap="2" minHeight="control">
        <Text as="h3" fontSize="sm" minWidth="0" overflowWrap="anywhere">
          {when}
        </Text>
        <Text fontSize="sm" color="fg.muted">
          {before}
        </Text>
        {!active && <Badge>Inactive</Badge>}
        <Button
          variant="ghost"
          // On a phone it is in the menu only.
          display={{ base: 'none', sm: 'inline-flex' }}
          right={SEQUENCE.right}
          aria-label={`Change delay: ${when}`}
          onClick={() => onOpen('delay')}
        >
          Change delay
        </Button>
      </Flex>
      <Panel p="3">
        <Grid
          // On a phone the text is below the picture and the menu.
          templateColumns={{ base: 'minmax(0, 1fr) auto', sm: 'auto minmax(0, 1fr) auto' }}
          gap="3"
          alignItems="start"
        >
          <Box display={{ base: hasPicture ? 'block' : 'none', sm: 'block' }}>
            <Picture
              email={email}
              list={sequence.email_list_ids[0]}
              label={`Preview email: ${when}`}
              onOpen={() => onOpen('preview')}
            />
          </Box>
          <Stack
            gap="1.5"
            align="flex-start"
            minWidth="0"
            minHeight={{ base: isLoading ? '148px' : undefined, sm: '0' }}
            gridArea={{ base: hasPicture ? '2 / 1 / auto / -1' : 'auto', sm: 'auto' }}
            overflowWrap="anywhere"
          >
            {email ? (
              <TextLink to={paths.automation(id)} fontWeight="medium" dir="auto">
                {email.content.subject_line}
              </TextLink>
            ) : (
              <Text color="fg.muted" minHeight="5">
                {!content
                  ? error && 'Its email could not be loaded.'
                  : isLinked
                    ? 'No active email'
                    : 'No email yet'}
              </Text>
            )}
            {content && content.combinations > 1 && (
              <Text fontSize="xs" color="fg.muted">
                One of {formatNumber(content.combinations)} emails, chosen for each person
              </Text>
            )}
            {totals && hasSent && <StepFigures {...totals} />}
            {notSent && (
              <Text fontSize="sm">
                <NotSentText {...notSent} /> <NotSentLink {...notSent} />
              </Text>
            )}
            {!hasPicture ? (
              <Button
                right="content:edit"
                aria-label={`Write email: ${when}`}
                onClick={() => onOpen('write')}
              >
                Write email
              </Button>
            ) : (
              edited && (
                <ButtonLink
                  right="content:edit"
                  to={wordingPath(paths.emailTemplate(edited.id), { sequence: sequence.id })}
                  aria-label={`Edit wording: ${when}`}
                >
                  Edit wording
                </ButtonLink>
              )
            )}
          </Stack>
          <MenuButton
            variant="ghost"
            width="control"
            px="0"
            aria-label={`Actions for ${when}`}
            loading={isRemoving}
            items={[
              { id: 'delay', label: 'Change delay', right: SEQUENCE.right, run: () => onOpen('delay') },
              { id: 'link', label: LINK_CONTENT, right: 'content:edit', run: () => onOpen('link') },
              { id: 'details', label: 'Open its details', to: paths.automation(id) },
              {
                id: 'remove',
                label: 'Remove step',
                group: 'remove',
                danger: true,
                right: SEQUENCE.right,
                run: isLinked || hasSent || !content ? () => onOpen('remove') : remove,
              },
            ]}
          >
            <Ellipsis aria-hidden />
          </MenuButton>
        </Grid>
      </Panel>
    </Box>
  );
}

type PictureProps = {
  email: ReturnType<typeof emailOf>;
  list: string | undefined;
  label: string;
  onOpen: () => void;
};

/** The button lies on the picture, which the pointer does not reach. */
const Picture = ({ email, list, label, onOpen }: PictureProps) => (
  <Box
    position="relative"
    width="112px"
    height="84px"
    overflow="hidden"
    borderWidth="1px"
    borderRadius="md"
    bg="bg.muted"
  >
    {email && (
      <>
        <EmailThumbnail {...email} list={list} />
        <chakra.button type="button" position="absolute" inset="0" aria-label={label} onClick={onOpen} />
      </>
    )}
  </Box>
);

const RAIL = { content: '""', position: 'absolute' } as const;
const LINE = { ...RAIL, insetInlineStart: '7px', top: '16px', bottom: '-16px', width: '1px', bg: 'border' };
const DOT = {
  ...RAIL,
  insetInlineStart: '3px',
  top: 'calc(var(--control) / 2 - 4px)',
  width: '9px',
  height: '9px',
  borderRadius: 'full',
  bg: 'fg.muted',
};

/** The email that is shown of a step: the first of those that may be sent; undefined if none is. */
function emailOf(content: AutomationContent) {
  const choices = choicesOf(content);
  return choices.length > 0 ? emailAt(choices, firstPlace(choices)) : undefined;
}

/** The one template that a step sends: of several, or of assets, the page of its details has all. */
const editedTemplate = ({ active, templates }: AutomationContent) =>
  active.templates === 1 ? templates.find(({ is_active, texts }) => is_active && texts) : undefined;

/** Removes a step without an email at once: nothing is lost by that, and Undo adds the same again. */
function useRemoval(sequence: Sequence, { automation_id, email_eligibility: _, ...same }: Step) {
  const { add, remove } = useSteps(sequence);
  const { run, isRunning } = useAction(async () => {
    try {
      await remove(automation_id);
      toastUndoable({ message: 'The step was removed.', undo: () => void add(same).catch(toastFailure) });
    } catch (problem) {
      toastFailure(problem);
    }
  });
  return { remove: () => void run(), isRemoving: isRunning };
}

/** "Sent 120 · Opened 61 (50.8%) · Clicked 12 (10%) · Value 40.00". */
const StepFigures = ({ sent, opened, clicked, value }: TotalsOfAutomation) => (
  <>
    <Flex wrap="wrap" columnGap="5" rowGap="1" fontSize="sm">
      <Flex as="dl" wrap="wrap" columnGap="5" rowGap="1">
        <Figure name="Sent">{formatNumber(sent)}</Figure>
        <Figure name="Opened" explained={opened === null ? SHARED : undefined}>
          {opened === null ? 'Not known' : `${formatNumber(opened)} (${percentage(opened, sent)})`}
        </Figure>
        <Figure name="Clicked">{`${formatNumber(clicked)} (${percentage(clicked, sent)})`}</Figure>
        <Figure name="Value" explained={value === null ? SHARED : undefined}>
          {value === null ? 'Not known' : <Amount of={value} />}
        </Figure>
      </Flex>
      <Text fontSize="xs" lineHeight="20px" color="fg.muted">
        in the last 90 days
      </Text>
    </Flex>
    {(opened === null || value === null) && <SharedNote />}
  </>
);

type FigureProps = { name: string; explained?: string | undefined; children: ReactNode };

const Figure = ({ name, explained, children }: FigureProps) => (
  <Flex gap="1.5">
    <Box as="dt" color="fg.muted">
      <WithHelpTip word={name}>{explained}</WithHelpTip>
    </Box>
    <Box as="dd" fontVariantNumeric="tabular-nums">
      {children}
    </Box>
  </Flex>
);
