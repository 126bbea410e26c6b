import { PARTS } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';

/** In milliseconds. */
export const ASSET_TOAST_DURATION = 4000;

type Item = Pick<EmailAsset, 'id' | 'name' | 'type'>;

/** The name of an asset, or its type if it has none. */
export const nameOf = ({ name, type }: Pick<Item, 'name' | 'type'>) => name || `[${PARTS[type]}]`;

export const EMAIL_ASSET = {
  noun: 'email asset',
  nameOf,
  home: paths.emailAssets(),
  back: 'Back to Email Assets',
  resultDuration: ASSET_TOAST_DURATION,
  one: 'GET /api/email-assets/{emailAsset}',
  rows: 'GET /api/email-assets',
  put: 'PUT /api/email-assets/{emailAsset}',
  remove: 'DELETE /api/email-assets/{emailAsset}',
  paramsOf: emailAsset => ({ emailAsset }),
  activeField: 'is_active',
  changedOne: ({ emailAsset, automations }, { automations: linked = automations, ...change }) => ({
    emailAsset: { ...emailAsset, ...change },
    automations: linked as typeof automations,
  }),
  texts: {
    missing: 'Email asset not found. Are you logged in with the right account?',
    notLoaded: 'Failed to fetch email asset. Please try again.',
    switched: (asset, active) =>
      `${nameOf(asset)} is ${active ? 'active' : 'inactive: no automation uses it'}.`,
    notSwitched: problem =>
      serverMessageOr(problem, 'Failed to update email asset status. Please try again.'),
    deleted: asset => `${nameOf(asset)} was deleted.`,
  },
} satisfies Entity<Item, 'GET /api/email-assets/{emailAsset}'>;

/** The asset of a page. */
export const useEmailAsset = (id: string) => useEntity(EMAIL_ASSET, id);

export const useAutomationsForAssets = () => useOrganizationData('GET /api/automations-for-assets');
