/** Every address of the app. */
export const paths = {
  home: () => '/',
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
const DIALOGS = { token: paths.profile, invite: paths.organizations };
export type DialogName = keyof typeof DIALOGS;

export const opening = (dialog: DialogName) => `${DIALOGS[dialog]()}?open=${dialog}`;
