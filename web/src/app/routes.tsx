import type { RouteObject } from 'react-router';
import { Spinner } from '../components/spinner.tsx';
import { paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { AppError, PageError } from './error-boundary.tsx';
import { listRoutes } from './list-routes.ts';
import { navigation } from './navigation.ts';
import { NotFound } from './not-found.tsx';
import { OfOrganization, SignedInOnly, WithOrganization } from './session.tsx';
import { Shell } from './shell.tsx';

/** The routes of the app. The code of a page is loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <AppError />,
    children: [
      {
        element: <SignedInOnly />,
        children: [
          {
            errorElement: <PageError />,
            hydrateFallbackElement: <Spinner />,
            children: [
              {
                element: <OfOrganization />,
                children: [
                  {
                    path: paths.home(),
                    lazy: async () => {
                      const { SignedInHome } = await import('../features/home/signed-in-home.tsx');
                      return { element: <SignedInHome destinations={navigation.slice(1)} /> };
                    },
                  },
                  {
                    path: paths.profile(),
                    lazy: async () => ({ Component: (await import('./profile-page.tsx')).ProfilePage }),
                  },
                  { element: <WithOrganization />, children: listRoutes },
                ],
              },
              {
                path: paths.organizations(),
                lazy: async () => ({
                  Component: (await import('../features/organization/access-control.tsx')).AccessControl,
                }),
              },
            ],
          },
        ],
      },
      {
        errorElement: <PageError />,
        hydrateFallbackElement: <Spinner />,
        children: [
          {
            path: `${paths.invitation('')}:token`,
            lazy: async () => {
              const { InvitationPage } = await import('../features/invitation/invitation-page.tsx');
              return { element: <InvitationPage signedIn={token() !== null} /> };
            },
          },
        ],
      },
      { path: '*', element: <NotFound /> },
    ],
  },
];
