import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { paths, patterns } from '../lib/paths.ts';
import { AppError, PageError } from './error-boundary.tsx';
import { NotFound } from './not-found.tsx';
import { OfOrganization } from './of-organization.tsx';
import { FirstPageLoading } from './page-loading.tsx';
import { SignedInOnly, WithOrganization } from './session.tsx';
import { Shell } from './shell.tsx';

/** A page whose code is loaded when it is opened. */
const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

/** The pages of a user. */
const personal = [
  page(paths.home(), async () => (await import('./home-page.tsx')).HomePage),
  page(paths.profile(), async () => (await import('./profile-page.tsx')).ProfilePage),
];

const lists = [
  page(paths.lists(), async () => (await import('../features/list/lists-page.tsx')).ListsPage),
  page(paths.newList(), async () => (await import('../features/list/new-list-page.tsx')).NewListPage),
  page(patterns.list, async () => (await import('./list-page.tsx')).ListPage),
  page(patterns.editList, async () => (await import('../features/list/edit-list-page.tsx')).EditListPage),
];

const listMembers = [
  page(
    patterns.newListMember,
    async () => (await import('../features/list-member/new-list-member-page.tsx')).NewListMemberPage,
  ),
  page(
    patterns.listMember,
    async () => (await import('../features/list-member/list-member-page.tsx')).ListMemberPage,
  ),
];

const organizations = page(
  paths.organizations(),
  async () => (await import('../features/organization/access-control.tsx')).AccessControl,
);

const invitation = page(
  patterns.invitation,
  async () => (await import('../features/invitation/invitation-page.tsx')).InvitationPage,
);

/** An error in one of these pages is shown within the shell. */
const loaded = (children: RouteObject[]): RouteObject => ({
  errorElement: <PageError />,
  hydrateFallbackElement: <FirstPageLoading />,
  children,
});

/** The routes of the app. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <AppError />,
    children: [
      {
        element: <SignedInOnly />,
        children: [
          loaded([
            {
              element: <OfOrganization />,
              children: [
                ...personal,
                { element: <WithOrganization />, children: [...lists, ...listMembers] },
              ],
            },
            organizations,
          ]),
        ],
      },
      loaded([invitation]),
      { path: '*', element: <NotFound /> },
    ],
  },
];
