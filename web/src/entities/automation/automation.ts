import type { Automation } from '../../../../shared/automation.ts';
import { useCachedData, useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { Problem, serverMessageOr } from '../../lib/problem.ts';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';
import { obstaclesOf } from './obstacles.ts';

/** In milliseconds. */
export const AUTOMATION_TOAST_DURATION = 4000;

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
  texts: {
    missing: 'Automation not found',
    notLoaded: 'Failed to fetch automation. Please try again.',
    switched: (automation, active) =>
      active
        ? [`${automation.name} is active.`, ...obstaclesOf({ ...automation, active }).slice(0, 1)].join(' ')
        : `${automation.name} is inactive: it sends nothing.`,
    notSwitched: statusFailure,
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Automation, 'GET /api/automations/{automation}'>;

/** Why a status could not be changed: all that the server says of the fields of the automation. */
export function statusFailure(problem: unknown): string {
  const messages = problem instanceof Problem ? Object.values(problem.fields).flat() : [];
  return messages.length > 0
    ? `Failed to update automation: ${messages.join(', ')}`
    : serverMessageOr(problem, 'Failed to update automation status. Please try again.');
}

export const useAutomations = () => useOrganizationData('GET /api/automations');

/** The automation of a page. */
export const useAutomation = (id: string) => useEntity(AUTOMATION, id);

/** An automation as the table of automations showed it, if that was loaded. */
export const useKnownAutomation = (id: string) =>
  useCachedData('GET /api/automations')?.find(automation => automation.id === id);
