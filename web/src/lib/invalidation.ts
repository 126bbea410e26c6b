import type { RouteKey } from '#shared/routes.ts';
import type { GetRoute } from './cache-key.ts';

/** The cached responses of an organization that a request makes stale. */
type Stale = {
  /** Shown until they are revalidated. */
  refetched?: readonly GetRoute[];
  /** Dropped from the cache, since rows were added or removed on any page. */
  dropped?: readonly GetRoute[];
};

const OF_ALL_SENDING = ['GET /api/forecast', 'GET /api/upcoming', 'GET /api/attention'] as const;
const EXPLANATION = 'GET /api/list-members/{listMember}/automations/{automation}';
/** What is said of emails that are still to come. */
const PREDICTED = [
  ...OF_ALL_SENDING,
  EXPLANATION,
  'GET /api/automations/{automation}/forecast',
  'GET /api/automations/{automation}/simulate',
  'GET /api/broadcasts/{broadcast}/forecast',
  'GET /api/sequences/{sequence}/people',
] as const;
const LIST = ['GET /api/email-lists', 'GET /api/email-lists/{list}'] as const;
const BROADCAST = ['GET /api/broadcasts', 'GET /api/broadcasts/{broadcast}'] as const;
const CONTENT = 'GET /api/automations/{automation}/content';
const SEQUENCE = ['GET /api/sequences', 'GET /api/sequences/{sequence}'] as const;
const AUTOMATION = [
  'GET /api/automations',
  'GET /api/automations/{automation}',
  CONTENT,
  ...BROADCAST,
  ...SEQUENCE,
  ...PREDICTED,
] as const;
const AUTOMATION_CHOICE = ['GET /api/automations-for-assets', 'GET /api/automations-for-templates'] as const;
const ASSET = ['GET /api/email-assets', 'GET /api/email-assets/{emailAsset}'] as const;
const TEMPLATE = [
  'GET /api/email-templates',
  'GET /api/email-templates-summary',
  'GET /api/email-templates/{emailTemplate}',
] as const;
const MEMBER = ['GET /api/email-lists/{list}/members', 'GET /api/list-members/{listMember}'] as const;
const OF_MEMBERS = [
  'GET /api/email-lists/{list}',
  'GET /api/email-lists/{list}/datetime-metadata-columns',
  'GET /api/list-member-actions',
  EXPLANATION,
] as const;
const IMPORTS = 'GET /api/email-lists/{list}/imports';
const WEBHOOK = ['GET /api/email-lists/{list}/unsubscribe-webhooks'] as const;
const WEBHOOK_OF_ALL = ['GET /api/organizations/{organization}/webhooks'] as const;
const OF_LISTS = { refetched: [...LIST, ...AUTOMATION] } as const;
const IDENTITY = 'GET /api/email-lists/{list}/ses-identity';
const DOMAIN_CHECK = 'GET /api/email-lists/{list}/domain-check';
const TRACKING = 'GET /api/email-lists/{list}/tracking-domain';
const OF_IDENTITIES = { refetched: [IDENTITY, DOMAIN_CHECK, TRACKING, ...OF_LISTS.refetched] } as const;
const OF_TRACKING = { refetched: [TRACKING, ...LIST] } as const;
const OF_AUTOMATIONS = { refetched: [...AUTOMATION, ...AUTOMATION_CHOICE] } as const;
const LOOKS = ['GET /api/look', 'GET /api/email-lists/{list}/look'] as const;
const OF_BROADCASTS = { refetched: [...BROADCAST, CONTENT, ...ASSET, ...TEMPLATE, ...PREDICTED] } as const;
const OF_ASSETS = { refetched: [...ASSET, ...AUTOMATION] } as const;
const OF_TEMPLATES = { refetched: [...TEMPLATE, ...AUTOMATION] } as const;
const OF_DELETED_AUTOMATIONS = {
  refetched: [
    'GET /api/automations',
    'GET /api/sequences',
    ...AUTOMATION_CHOICE,
    ...ASSET,
    ...TEMPLATE,
    ...OF_ALL_SENDING,
  ],
} as const;

export const INVALIDATES: { readonly [Route in RouteKey]?: Stale } = {
  'POST /api/email-lists': { refetched: LIST },
  'PUT /api/email-lists/{list}': OF_IDENTITIES,
  'DELETE /api/email-lists/{list}': { refetched: ['GET /api/email-lists', ...AUTOMATION] },
  'PUT /api/email-lists/{list}/logo': { refetched: LIST },
  'PUT /api/look': { refetched: LOOKS },
  'PUT /api/email-lists/{list}/look': { refetched: LOOKS },
  'PUT /api/email-lists/{list}/mailgun-key': OF_LISTS,
  'POST /api/email-lists/{list}/test-mailgun-connection': OF_LISTS,
  'POST /api/email-lists/{list}/ses-identity': OF_IDENTITIES,
  'POST /api/email-lists/{list}/ses-identity/check': OF_IDENTITIES,
  'DELETE /api/email-lists/{list}/ses-identity': OF_IDENTITIES,
  'POST /api/email-lists/{list}/tracking-domain': OF_TRACKING,
  'POST /api/email-lists/{list}/tracking-domain/check': OF_TRACKING,
  'DELETE /api/email-lists/{list}/tracking-domain': OF_TRACKING,

  'POST /api/email-lists/{list}/domain-check': { refetched: [DOMAIN_CHECK, 'GET /api/attention'] },

  'POST /api/email-lists/{list}/unsubscribe-webhooks': { refetched: WEBHOOK },
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': { refetched: WEBHOOK },
  'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': { refetched: WEBHOOK },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': { refetched: WEBHOOK },
  'POST /api/organizations/{organization}/webhooks': { refetched: WEBHOOK_OF_ALL },
  'PUT /api/organizations/{organization}/webhooks/{webhook}': { refetched: WEBHOOK_OF_ALL },
  'DELETE /api/organizations/{organization}/webhooks/{webhook}': { refetched: WEBHOOK_OF_ALL },
  'POST /api/organizations/{organization}/webhooks/{webhook}/secret': { refetched: WEBHOOK_OF_ALL },

  'POST /api/list-members': { refetched: OF_MEMBERS, dropped: MEMBER },
  'PUT /api/list-members/{listMember}': { refetched: [...MEMBER, ...OF_MEMBERS] },
  'DELETE /api/list-members/{listMember}': { refetched: OF_MEMBERS, dropped: MEMBER },
  'POST /api/email-lists/{list}/members/actions': { refetched: [...MEMBER, ...OF_MEMBERS] },
  'POST /api/recipients/erase': {
    refetched: [...OF_MEMBERS, 'GET /api/email-lists', 'GET /api/organizations/{organization}/record'],
    // Revalidating the page of a deleted member would find them missing before the page is left.
    dropped: ['GET /api/email-lists/{list}/members'],
  },

  'POST /api/email-lists/{list}/imports': { refetched: [IMPORTS] },
  'PUT /api/email-lists/{list}/imports/{memberImport}': { refetched: [IMPORTS] },
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': {
    refetched: [...OF_MEMBERS, IMPORTS],
    dropped: MEMBER,
  },
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': {
    refetched: [...OF_MEMBERS, IMPORTS],
    dropped: [...MEMBER, 'GET /api/email-lists/{list}/imports/{memberImport}/members'],
  },

  'POST /api/automations': OF_AUTOMATIONS,
  'PUT /api/automations/{automation}': OF_AUTOMATIONS,
  'DELETE /api/automations/{automation}': OF_DELETED_AUTOMATIONS,

  'POST /api/broadcasts': OF_BROADCASTS,
  'PUT /api/broadcasts/{broadcast}': OF_BROADCASTS,
  'DELETE /api/broadcasts/{broadcast}': {
    refetched: ['GET /api/broadcasts', ...ASSET, ...TEMPLATE, ...OF_ALL_SENDING],
  },

  'POST /api/sequences': OF_AUTOMATIONS,
  'PUT /api/sequences/{sequence}': OF_AUTOMATIONS,
  'DELETE /api/sequences/{sequence}': OF_DELETED_AUTOMATIONS,

  'PUT /api/organizations/{organization}': { refetched: PREDICTED },
  'PUT /api/safeguards': { refetched: PREDICTED },
  'PUT /api/sending-hours': { refetched: ['GET /api/sending-hours', ...PREDICTED] },
  'PUT /api/holdout': { refetched: ['GET /api/reporting/holdout', ...PREDICTED] },
  'POST /api/plans/{hash}/apply': {
    refetched: [
      ...AUTOMATION,
      ...AUTOMATION_CHOICE,
      ...ASSET,
      ...TEMPLATE,
      ...([
        'GET /api/plans/{hash}',
        'GET /api/safeguards',
        'GET /api/sending-hours',
        'GET /api/holdout',
        'GET /api/reporting/holdout',
      ] as const),
    ],
  },
  'PUT /api/automations/{automation}/content': { refetched: [...AUTOMATION, ...ASSET, ...TEMPLATE] },

  // Linked and active content decides whether an automation is eligible.
  'POST /api/email-assets': { refetched: AUTOMATION, dropped: ['GET /api/email-assets'] },
  'POST /api/email-asset-sets': {
    refetched: [...AUTOMATION, 'GET /api/email-assets/{emailAsset}'],
    dropped: ['GET /api/email-assets'],
  },
  'POST /api/email-assets/{emailAsset}/versions': OF_ASSETS,
  'PUT /api/email-assets/{emailAsset}': OF_ASSETS,
  'DELETE /api/email-assets/{emailAsset}': { refetched: ['GET /api/email-assets', ...AUTOMATION] },
  'POST /api/email-templates': {
    refetched: AUTOMATION,
    dropped: ['GET /api/email-templates', 'GET /api/email-templates-summary'],
  },
  'POST /api/email-templates/{emailTemplate}/versions': OF_TEMPLATES,
  'PUT /api/email-templates/{emailTemplate}': OF_TEMPLATES,
  'PUT /api/email-templates/{emailTemplate}/automations': OF_TEMPLATES,
  'PUT /api/email-templates/{emailTemplate}/owner': { refetched: TEMPLATE },
  'DELETE /api/email-templates/{emailTemplate}': {
    refetched: [
      ...([
        'GET /api/email-templates',
        'GET /api/email-templates-summary',
        'GET /api/reporting/combinations',
      ] as const),
      ...AUTOMATION,
    ],
  },
};
