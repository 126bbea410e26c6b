import { Text } from '@chakra-ui/react';
import type { Organization } from '#shared/organization.ts';
import type { Sequence } from '#shared/sequence.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';
import { AUTOMATION_TOAST_DURATION, statusFailure, WHILE_EXISTING } from './automation.tsx';
import { NO_LISTS, type Obstacle, pauseOf } from './obstacles.ts';

export const SEQUENCE = {
  noun: 'sequence',
  nameOf: ({ name }) => name,
  home: paths.automations(),
  back: 'Back to Automations',
  resultDuration: AUTOMATION_TOAST_DURATION,
  one: 'GET /api/sequences/{sequence}',
  rows: 'GET /api/sequences',
  put: 'PUT /api/sequences/{sequence}',
  remove: 'DELETE /api/sequences/{sequence}',
  paramsOf: sequence => ({ sequence }),
  activeField: 'active',
  right: 'automations:edit',
  texts: {
    missing: 'Sequence not found',
    notLoaded: 'Failed to fetch sequence. Please try again.',
    switched: ({ name }, active) =>
      active ? `${name} is active.` : `${name} is inactive: it sends nothing.`,
    notSwitched: problem => statusFailure(problem, 'sequence'),
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Sequence, 'GET /api/sequences/{sequence}'>;

export const useSequence = (id: string) => useEntity(SEQUENCE, id, WHILE_EXISTING);

type Step = Sequence['steps'][number];

export const isWritten = ({ email_eligibility }: Pick<Step, 'email_eligibility'>) =>
  email_eligibility.is_eligible;

export const lackOfSequence = ({ email_lists, steps }: Sequence): string | undefined =>
  email_lists.length === 0 ? 'no list' : steps.some(isWritten) ? undefined : 'nothing to send';

/** Why a sequence sends nothing, or not all of its emails. */
export function sequenceObstacles(sequence: Sequence, organization?: Organization): Obstacle[] {
  const { id, active, steps, email_lists } = sequence;
  const empty = steps.filter(step => !isWritten(step)).length;
  return [
    !active && { text: 'This sequence is inactive: nothing is sent until it is activated.' },
    pauseOf(sequence, organization),
    email_lists.length === 0 && {
      text: NO_LISTS,
      mend: { label: 'Connect a list', to: paths.editSequence(id), right: SEQUENCE.right },
    },
    active && empty > 0 && { text: emptyText(empty, steps.length), isWrong: true },
  ].filter(obstacle => obstacle !== false);
}

const emptyText = (empty: number, of: number) =>
  empty === of
    ? 'Nothing to send: none of its steps has an email yet.'
    : `${formatNumber(empty)} of its ${plural(of, 'step')} ${empty === 1 ? 'has' : 'have'} no email yet: nobody gets ${empty === 1 ? 'it' : 'them'}, and the others are sent.`;

type Props = { sequence: Sequence; leaves?: boolean; onClose: () => void };

export const DeleteSequence = ({ sequence, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={SEQUENCE}
    item={sequence}
    confirm="Delete sequence"
    failure="Failed to delete sequence. Please try again."
  >
    <p>
      Its {plural(sequence.steps.length, 'step')} {sequence.steps.length === 1 ? 'is' : 'are'} deleted with
      it: nobody gets an email that is still to come.
    </p>
    <Text mt="2">
      What was sent stays in the log and in reporting, its content too. This cannot be undone.
    </Text>
  </DeleteEntity>
);
