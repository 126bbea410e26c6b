import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Automation } from '#shared/automation.ts';
import { AUTOMATIONS_PAGE } from '#shared/limits.ts';
import type { Answer } from '#shared/routes.ts';
import { Status } from '#web/components/status.tsx';
import { useCachedData, useOrganizationCall, useOrganizationData } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem, serverMessageOr } from '#web/lib/problem.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';
import { type Mailing, obstaclesOf, pausedBy, sendingOf } from './obstacles.ts';

export const AUTOMATION_TOAST_DURATION = 4000;
/** Polled while people who were there already are mailed. */
export const WHILE_EXISTING = {
  refreshInterval: (data?: { mails_existing?: boolean | undefined }) => (data?.mails_existing ? 15_000 : 0),
};

export const MAILS_EXISTING =
  'The people who were there already are being mailed. Quiet hours hold this up until they end.';

export const AUTOMATION = {
  noun: 'automation',
  nameOf: ({ name }) => name,
  home: paths.automations(),
  back: 'Back to Automations',
  resultDuration: AUTOMATION_TOAST_DURATION,
  one: 'GET /api/automations/{automation}',
  rows: 'GET /api/automations',
  put: 'PUT /api/automations/{automation}',
  remove: 'DELETE /api/automations/{automation}',
  paramsOf: automation => ({ automation }),
  activeField: 'active',
  right: 'automations:edit',
  texts: {
    missing: 'Automation not found',
    notLoaded: 'Failed to fetch automation. Please try again.',
    switched: (automation, active) =>
      active
        ? [`${automation.name} is active.`, obstaclesOf({ ...automation, active })[0]?.text ?? '']
            .join(' ')
            .trim()
        : `${automation.name} is inactive: it sends nothing.`,
    notSwitched: problem => statusFailure(problem),
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Automation, 'GET /api/automations/{automation}'>;

/** Why a status could not be changed: all errors of fields in the response. */
export function statusFailure(problem: unknown, noun = 'automation'): string {
  const messages = problem instanceof Problem ? Object.values(problem.fields).flat() : [];
  return messages.length > 0
    ? `Failed to update ${noun}: ${messages.join(', ')}`
    : serverMessageOr(problem, `Failed to update ${noun} status. Please try again.`);
}

export const useAutomations = () => useAllPages(AUTOMATION.rows);
export const useSequences = () => useAllPages('GET /api/sequences');

function useAllPages<K extends 'GET /api/automations' | 'GET /api/sequences'>(route: K) {
  const call = useOrganizationCall();
  const fetcher = async () => {
    // Deduplicated by id: while pages are being fetched, a new row may move others to the next page.
    const all = new Map<string, Answer<K>[number]>();
    for (let page = 1; ; page++) {
      const rows: Answer<K>[number][] = await call(route, { query: { page } } as never);
      for (const row of rows) all.set(row.id, row);
      if (rows.length < AUTOMATIONS_PAGE) return [...all.values()] as Answer<K>;
    }
  };
  return useOrganizationData<K>(route, ...([{}, { fetcher }] as never));
}

export const useAutomation = (id: string) => useEntity(AUTOMATION, id, WHILE_EXISTING);

/** An automation from the cache of the table, if that was loaded. */
export const useKnownAutomation = (id: string) =>
  useCachedData(AUTOMATION.rows, {})?.find(automation => automation.id === id);

type MailingProps = { mailing: Mailing; lack: string | undefined };

export function MailingStatus({ mailing, lack }: MailingProps) {
  const { tone, text } = sendingOf(mailing, lack, useOrganization());
  return (
    <Status tone={tone} whiteSpace="normal">
      {text}
    </Status>
  );
}

/** By what an automation is paused, in place of a status that says that it works. */
export function UnlessPaused({ mailing, children }: { mailing: Mailing; children: ReactNode }) {
  const paused = pausedBy(mailing, useOrganization());
  return paused === undefined ? (
    children
  ) : (
    <Status tone="attention" whiteSpace="normal">
      {paused}
    </Status>
  );
}

type Props = { automation: Automation; leaves?: boolean; onClose: () => void };

export const DeleteAutomation = ({ automation, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={AUTOMATION}
    item={automation}
    confirm="Delete Automation"
    failure="Failed to delete automation. Please try again."
  >
    <p>Are you sure you want to delete this automation?</p>
    <Text mt="2">It sends nothing more. Its lists and its content stay. This cannot be undone.</Text>
  </DeleteEntity>
);
