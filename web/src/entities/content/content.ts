import type { ContentVersion } from '#shared/content-version.ts';
import { PARTS } from '#shared/email/content.ts';
import type { EmailAsset } from '#shared/email-asset.ts';
import type { EmailTemplate } from '#shared/email-template.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';

export const RESULT_DURATION = 4000;

export const EMAIL_TEMPLATE = {
  noun: 'email template',
  nameOf: ({ name }) => name,
  home: paths.emailTemplates(),
  back: 'Back to Email Templates',
  resultDuration: RESULT_DURATION,
  one: 'GET /api/email-templates/{emailTemplate}',
  rows: 'GET /api/email-templates',
  put: 'PUT /api/email-templates/{emailTemplate}',
  remove: 'DELETE /api/email-templates/{emailTemplate}',
  paramsOf: emailTemplate => ({ emailTemplate }),
  activeField: 'is_active',
  right: 'content:edit',
  changedOne: (detail, { automations = detail.automations, ...change }) => ({
    ...detail,
    emailTemplate: { ...detail.emailTemplate, ...change },
    automations: automations as typeof detail.automations,
  }),
  texts: {
    missing: "Template not found or you don't have permission to view it.",
    notLoaded: 'Failed to load email template details',
    switched: (_, active) => `Template ${active ? 'activated' : 'deactivated'} successfully!`,
    notSwitched: problem => serverMessageOr(problem, 'Failed to update template status'),
    deleted: () => 'Template deleted successfully!',
  },
} satisfies Entity<Pick<EmailTemplate, 'id' | 'name'>, 'GET /api/email-templates/{emailTemplate}'>;

type Asset = Pick<EmailAsset, 'id' | 'name' | 'type'>;

export const assetName = ({ name, type }: Pick<Asset, 'name' | 'type'>) => name || `[${PARTS[type]}]`;

export const EMAIL_ASSET = {
  noun: 'email asset',
  nameOf: assetName,
  home: paths.emailAssets(),
  back: 'Back to Email Assets',
  resultDuration: RESULT_DURATION,
  one: 'GET /api/email-assets/{emailAsset}',
  rows: 'GET /api/email-assets',
  put: 'PUT /api/email-assets/{emailAsset}',
  remove: 'DELETE /api/email-assets/{emailAsset}',
  paramsOf: emailAsset => ({ emailAsset }),
  activeField: 'is_active',
  right: 'content:edit',
  changedOne: (detail, { automations = detail.automations, ...change }) => ({
    ...detail,
    emailAsset: { ...detail.emailAsset, ...change },
    automations: automations as typeof detail.automations,
  }),
  texts: {
    missing: 'Email asset not found. Are you logged in with the right account?',
    notLoaded: 'Failed to fetch email asset. Please try again.',
    switched: (asset, active) =>
      `${assetName(asset)} is ${active ? 'active' : 'inactive: no automation uses it'}.`,
    notSwitched: problem =>
      serverMessageOr(problem, 'Failed to update email asset status. Please try again.'),
    deleted: asset => `${assetName(asset)} was deleted.`,
  },
} satisfies Entity<Asset, 'GET /api/email-assets/{emailAsset}'>;

/** Said before it happens, where a template is linked to several automations. */
export const SHARES_COUNTS =
  'Opens and value are counted for a template as a whole, whichever automation sends it. To see them for each automation, link copies: Duplicate makes one.';

/** The form of a new wording of the content of a page. It leads back to the page that it is written for. */
export const wordingPath = (page: string, of?: Partial<Record<WordingOf, string>>) =>
  `${page}/wording${of ? `?${new URLSearchParams(of)}` : ''}`;
type WordingOf = 'automation' | 'sequence' | 'broadcast';
/** Undefined if it is written for no other page. */
export function wordingHome(params: URLSearchParams): string | undefined {
  const kind = (['automation', 'sequence', 'broadcast'] as const).find(of => params.get(of));
  return kind && paths[kind](params.get(kind) ?? '');
}

/** The newest version of content, if there is one after this. */
export const newerVersion = (id: string, versions: ContentVersion[]) => {
  const newest = versions.at(-1);
  return newest?.id === id ? undefined : newest;
};
