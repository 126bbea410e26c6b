import type { HelpTopic } from './help.ts';

/** The route patterns with a parameter, whose name is that in the routes of the API. */
export const patterns = {
  list: '/email-lists/:list',
  editList: '/email-lists/:list/edit',
  listLook: '/email-lists/:list/look',
  newListMember: '/email-lists/:list/members/new',
  importMembers: '/email-lists/:list/import',
  listMember: '/list-members/:listMember',
  automation: '/automations/:automation',
  editAutomation: '/automations/:automation/edit',
  broadcast: '/broadcasts/:broadcast',
  editBroadcast: '/broadcasts/:broadcast/edit',
  sequence: '/automations/sequences/:sequence',
  editSequence: '/automations/sequences/:sequence/edit',
  emailAsset: '/email-assets/:emailAsset',
  emailTemplate: '/email-templates/:emailTemplate',
  editEmailTemplate: '/email-templates/:emailTemplate/edit',
  combination: '/reporting/combinations/:combination',
  plan: '/plans/:hash',
  invitation: '/invitations/accept/:token',
};

const pathFor = (pattern: string) => (id: string) => pattern.replace(/:\w+/, () => encodeURIComponent(id));

export const paths = {
  home: () => '/',
  lists: () => '/email-lists',
  newList: () => '/email-lists/new',
  list: pathFor(patterns.list),
  editList: pathFor(patterns.editList),
  listLook: pathFor(patterns.listLook),
  newListMember: pathFor(patterns.newListMember),
  importMembers: pathFor(patterns.importMembers),
  listMember: pathFor(patterns.listMember),
  automations: () => '/automations',
  newAutomation: () => '/automations/new',
  /** A broadcast is an automation, whose id begins with a B. */
  automation: (id: string) => pathFor(id.startsWith('B') ? patterns.broadcast : patterns.automation)(id),
  editAutomation: pathFor(patterns.editAutomation),
  broadcasts: () => '/broadcasts',
  newBroadcast: () => '/broadcasts/new',
  broadcast: pathFor(patterns.broadcast),
  editBroadcast: pathFor(patterns.editBroadcast),
  newSequence: () => '/automations/sequences/new',
  sequence: pathFor(patterns.sequence),
  editSequence: pathFor(patterns.editSequence),
  emailAssets: () => '/email-assets',
  newEmailAsset: () => '/email-assets/new',
  newAssetSet: () => '/email-assets/new-set',
  emailAsset: pathFor(patterns.emailAsset),
  emailTemplates: () => '/email-templates',
  newEmailTemplate: () => '/email-templates/new',
  emailTemplate: pathFor(patterns.emailTemplate),
  editEmailTemplate: pathFor(patterns.editEmailTemplate),
  sendingLog: () => '/sending-log',
  reporting: () => '/reporting',
  combination: pathFor(patterns.combination),
  plan: pathFor(patterns.plan),
  safeguards: () => '/safeguards',
  login: (redirect?: string) => (redirect ? `/login?redirect=${queryOf(redirect)}` : '/login'),
  organizations: () => '/access-control',
  look: () => '/access-control/email-design',
  changes: () => '/access-control/changes',
  connect: () => '/connect',
  profile: () => '/profile',
  apiReference: () => '/api-reference',
  help: () => '/help',
  apiCall: (id: string) => `/api-reference#${id}`,
  invitation: pathFor(patterns.invitation),
  terms: () => '/terms-and-conditions',
  privacy: () => '/privacy-policy',
};

export const helpPath = (topic: HelpTopic) => `${paths.help()}#${topic}`;

/** The API reference for programs, which are files outside of the app. */
export const REFERENCE_FILES = { openapi: '/api/openapi.json', markdown: '/llms.txt' };

/** A slash needs no encoding in a query. */
const queryOf = (path: string) => encodeURIComponent(path).replaceAll('%2F', '/');

export const changesPath = (filters: Record<string, string>) =>
  `${paths.changes()}?${new URLSearchParams(filters)}`;

export const logPath = (filters: Record<string, string>) =>
  `${paths.sendingLog()}?${new URLSearchParams(filters)}`;

/** The form of new content that is linked to an automation. It leads back to the page of the automation. */
export const newTemplateFor = (automation: string, activates = false) =>
  `${paths.newEmailTemplate()}?${queryFor(automation, activates)}`;
export const newAssetFor = (automation: string) => `${paths.newEmailAsset()}?${queryFor(automation)}`;
export const newAssetSetFor = (automation: string, activates = false) =>
  `${paths.newAssetSet()}?${queryFor(automation, activates)}`;
export const FOR_AUTOMATION = 'automation';
/** The automation is activated once the content is created. */
export const ACTIVATES = 'activates';
/** The form is not filled in with the email that the automation sends already. */
export const EMPTY = 'empty';
export const emptyTemplateFor = (automation: string) => `${newTemplateFor(automation)}&${EMPTY}=1`;
const queryFor = (automation: string, activates = false) =>
  new URLSearchParams({ [FOR_AUTOMATION]: automation, ...(activates && { [ACTIVATES]: '1' }) });

export const FOR_LIST = 'list';

export const WITH_AUDIENCE = 'audience';

export const newAutomationFor = (list: string) =>
  `${paths.newAutomation()}?${new URLSearchParams({ [FOR_LIST]: list })}`;

/** In place of the id of an automation, while none is chosen whose emails are explained. */
export const NO_AUTOMATION = 'none';

export const explanationPath = (member: string, automation: string) =>
  `${paths.listMember(member)}?${new URLSearchParams({ automation })}`;

/** The login that leads back to this page. From the public home page it leads on to the profile. */
export const loginFrom = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  paths.login(pathname === paths.home() ? undefined : pathname + search + hash);

/** Added to the address of the login page when a session has ended: the page says so. */
export const EXPIRED = '#expired';

/** Whether this is the page of an invitation, to which the user returns after signing in. */
export const isInvitation = (pathname: string) => pathname.startsWith(paths.invitation(''));

const DIALOGS = {
  token: paths.profile,
  invite: paths.organizations,
  example: paths.list,
  sending: paths.list,
  simulation: paths.automation,
  content: paths.automation,
};
export type DialogName = keyof typeof DIALOGS;

export const dialogPath = <Name extends DialogName>(
  dialog: Name,
  ...of: Parameters<(typeof DIALOGS)[Name]>
) => `${(DIALOGS[dialog] as (...of: string[]) => string)(...of)}?open=${dialog}`;
