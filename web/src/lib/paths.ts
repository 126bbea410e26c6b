/** The addresses that name something. */
export const patterns = {
  list: '/email-lists/:list',
  editList: '/email-lists/:list/edit',
  newListMember: '/email-lists/:list/members/new',
  listMember: '/list-members/:member',
};

const naming = (pattern: string) => (id: string) => pattern.replace(/:\w+/, () => encodeURIComponent(id));

/** Every address of the app. */
export const paths = {
  home: () => '/',
  lists: () => '/email-lists',
  newList: () => '/email-lists/new',
  list: naming(patterns.list),
  editList: naming(patterns.editList),
  newListMember: naming(patterns.newListMember),
  listMember: naming(patterns.listMember),
  login: (redirect?: string) => (redirect ? `/login?redirect=${queryOf(redirect)}` : '/login'),
  organizations: () => '/access-control',
  profile: () => '/profile',
  invitation: (token: string) => `/invitations/accept/${encodeURIComponent(token)}`,
  terms: () => '/terms-and-conditions',
  privacy: () => '/privacy-policy',
};

/** A path may stand in a query as it is, but for what would end it. */
const queryOf = (path: string) => encodeURIComponent(path).replaceAll('%2F', '/');

/** Whoever came by the link of a mail is to come back to it after signing in. */
export const isInvitation = (pathname: string) => pathname.startsWith(paths.invitation(''));

/** The dialogs that a link or a command can open, and the pages they belong to. */
const DIALOGS = { token: paths.profile, invite: paths.organizations, example: paths.list };
export type DialogName = keyof typeof DIALOGS;

export const opening = <Name extends DialogName>(dialog: Name, ...of: Parameters<(typeof DIALOGS)[Name]>) =>
  `${(DIALOGS[dialog] as (...of: string[]) => string)(...of)}?open=${dialog}`;
