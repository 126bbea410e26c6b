import type { RouteObject } from 'react-router';
import { automationPages } from '../features/automation/routes.ts';
import { emailAssetPages } from '../features/email-asset/routes.ts';
import { emailSendPages } from '../features/email-send/routes.ts';
import { emailTemplatePages } from '../features/email-template/routes.ts';
import { invitationPages } from '../features/invitation/routes.ts';
import { listPages } from '../features/list/routes.ts';
import { listMemberPages } from '../features/list-member/routes.ts';
import { memberImportPages } from '../features/member-import/routes.ts';
import { organizationPages } from '../features/organization/routes.ts';
import { reportPages } from '../features/report/routes.ts';
import { safeguardsPages } from '../features/safeguards/routes.ts';
import { pageRoute } from '../lib/page-route.ts';
import { paths, patterns } from '../lib/paths.ts';
import { AppError, PageError } from './error-boundary.tsx';
import { NotFound } from './not-found.tsx';
import { OfOrganization } from './of-organization.tsx';
import { FirstPageLoading } from './page-loading.tsx';
import { SignedInOnly, WithOrganization } from './session.tsx';
import { Shell } from './shell.tsx';

/** Pages that combine features which do not import each other. */
const home = pageRoute(paths.home(), async () => (await import('./home-page.tsx')).HomePage);
const profile = pageRoute(paths.profile(), async () => (await import('./profile-page.tsx')).ProfilePage);
/** Visitors without a session can open it as well. */
const apiReference = pageRoute(
  paths.apiReference(),
  async () => (await import('./api-reference-page.tsx')).ApiReferencePage,
);
const list = pageRoute(patterns.list, async () => (await import('./list-page.tsx')).ListPage);

/** Pages whose code is loaded when they are opened; an error in one is shown within the shell. */
const loaded = (children: RouteObject[]): RouteObject => ({
  errorElement: <PageError />,
  hydrateFallbackElement: <FirstPageLoading />,
  children,
});

/** The routes of the app, gathered from its features. */
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
                home,
                profile,
                {
                  element: <WithOrganization />,
                  children: [
                    ...listPages,
                    list,
                    ...listMemberPages,
                    ...memberImportPages,
                    ...automationPages,
                    ...emailTemplatePages,
                    ...emailAssetPages,
                    ...reportPages,
                    ...safeguardsPages,
                  ],
                },
                {
                  element: (
                    <WithOrganization title="Sending Log">
                      <p>Please select an organization from the sidebar to view the sending log.</p>
                    </WithOrganization>
                  ),
                  children: emailSendPages,
                },
              ],
            },
            ...organizationPages,
          ]),
        ],
      },
      loaded([...invitationPages, apiReference]),
      { path: '*', element: <NotFound /> },
    ],
  },
];
