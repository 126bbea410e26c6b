import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import type { Action } from '#shared/permissions.ts';
import { paths, patterns } from '../lib/paths.ts';
import { AppError, NotFound, PageError } from './error-boundary.tsx';
import { OrganizationBoundary } from './organization-boundary.tsx';
import { FirstPageLoading } from './page-loading.tsx';
import { SignedInOnly, WithOrganization } from './session.tsx';
import { Shell } from './shell.tsx';

/** The route of a page, whose code is loaded on demand. `right`: what its users need (`WithOrganization`). */
const page = <Name extends string>(
  path: string,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
  right?: Action,
): RouteObject => ({ path, handle: right, lazy: async () => ({ Component: (await load())[name] }) });

const organizationPages = [
  page(paths.lists(), () => import('../features/list/lists-page.tsx'), 'ListsPage'),
  page(paths.newList(), () => import('../features/list/list-form-page.tsx'), 'NewListPage', 'lists:edit'),
  page(patterns.editList, () => import('../features/list/list-form-page.tsx'), 'EditListPage', 'lists:edit'),
  page(patterns.listLook, () => import('../features/list/look-page.tsx'), 'ListLookPage'),
  page(paths.look(), () => import('../features/list/look-page.tsx'), 'OrganizationLookPage'),
  page(
    paths.changes(),
    () => import('../features/organization/changes-page.tsx'),
    'ChangesPage',
    'record:read',
  ),
  page(patterns.list, () => import('./list-page.tsx'), 'ListPage'),
  page(
    patterns.newListMember,
    () => import('../features/list-member/new-list-member-page.tsx'),
    'NewListMemberPage',
    'list-members:edit',
  ),
  page(patterns.listMember, () => import('../features/list-member/list-member-page.tsx'), 'ListMemberPage'),
  page(patterns.importMembers, () => import('../features/member-import/import-page.tsx'), 'ImportPage'),
  page(paths.automations(), () => import('../features/automation/automations-page.tsx'), 'AutomationsPage'),
  page(
    paths.newAutomation(),
    () => import('../features/automation/automation-form-page.tsx'),
    'NewAutomationPage',
    'automations:edit',
  ),
  page(patterns.automation, () => import('../features/automation/automation-page.tsx'), 'AutomationPage'),
  page(
    patterns.editAutomation,
    () => import('../features/automation/automation-form-page.tsx'),
    'EditAutomationPage',
    'automations:edit',
  ),
  page(paths.broadcasts(), () => import('../features/broadcast/broadcasts-page.tsx'), 'BroadcastsPage'),
  page(
    paths.newBroadcast(),
    () => import('../features/broadcast/broadcast-form-page.tsx'),
    'NewBroadcastPage',
    'automations:edit',
  ),
  page(patterns.broadcast, () => import('../features/broadcast/broadcast-page.tsx'), 'BroadcastPage'),
  page(
    patterns.editBroadcast,
    () => import('../features/broadcast/broadcast-form-page.tsx'),
    'EditBroadcastPage',
    'automations:edit',
  ),
  page(
    paths.newSequence(),
    () => import('../features/automation/sequence/sequence-form-page.tsx'),
    'NewSequencePage',
    'automations:edit',
  ),
  page(patterns.sequence, () => import('./sequence-page.tsx'), 'SequencePage'),
  page(
    patterns.editSequence,
    () => import('../features/automation/sequence/sequence-form-page.tsx'),
    'EditSequencePage',
    'automations:edit',
  ),
  page(
    paths.emailTemplates(),
    () => import('../features/content/content-list-page.tsx'),
    'EmailTemplatesPage',
  ),
  page(
    paths.newEmailTemplate(),
    () => import('../features/content/content-form-page.tsx'),
    'NewEmailTemplatePage',
    'content:edit',
  ),
  page(patterns.emailTemplate, () => import('../features/content/content-page.tsx'), 'EmailTemplatePage'),
  page(
    patterns.editEmailTemplate,
    () => import('../features/content/content-form-page.tsx'),
    'EditEmailTemplatePage',
    'content:edit',
  ),
  page(
    `${patterns.emailTemplate}/wording`,
    () => import('../features/content/content-form-page.tsx'),
    'TemplateWordingPage',
    'content:edit',
  ),
  page(paths.emailAssets(), () => import('../features/content/content-list-page.tsx'), 'EmailAssetsPage'),
  page(
    paths.newEmailAsset(),
    () => import('../features/content/content-form-page.tsx'),
    'NewEmailAssetPage',
    'content:edit',
  ),
  page(
    paths.newAssetSet(),
    () => import('../features/content/content-form-page.tsx'),
    'NewAssetSetPage',
    'content:edit',
  ),
  page(patterns.emailAsset, () => import('../features/content/content-page.tsx'), 'EmailAssetPage'),
  page(
    `${patterns.emailAsset}/wording`,
    () => import('../features/content/content-form-page.tsx'),
    'AssetWordingPage',
    'content:edit',
  ),
  page(paths.reporting(), () => import('../features/report/report-page.tsx'), 'ReportPage'),
  page(patterns.combination, () => import('../features/report/combination-page.tsx'), 'CombinationPage'),
  page(patterns.plan, () => import('../features/plan/plan-page.tsx'), 'PlanPage'),
  page(paths.connect(), () => import('../features/token/connect-page.tsx'), 'ConnectPage'),
  page(paths.safeguards(), () => import('../features/organization/safeguards-page.tsx'), 'SafeguardsPage'),
];

/** Pages whose code is loaded when they are opened; an error in one is shown within the shell. */
const loaded = (children: RouteObject[]): RouteObject => ({
  errorElement: <PageError />,
  hydrateFallbackElement: <FirstPageLoading />,
  children,
});

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
              element: <OrganizationBoundary />,
              children: [
                page(paths.home(), () => import('./home-page.tsx'), 'HomePage'),
                page(paths.profile(), () => import('./profile-page.tsx'), 'ProfilePage'),
                { element: <WithOrganization />, children: organizationPages },
                {
                  element: (
                    <WithOrganization title="Sending Log">
                      <p>Please select an organization from the sidebar to view the sending log.</p>
                    </WithOrganization>
                  ),
                  children: [
                    page(
                      paths.sendingLog(),
                      () => import('../features/email-send/sending-log-page.tsx'),
                      'SendingLogPage',
                    ),
                  ],
                },
              ],
            },
            page(
              paths.organizations(),
              () => import('../features/organization/access-control.tsx'),
              'AccessControl',
            ),
          ]),
        ],
      },
      loaded([
        page(patterns.invitation, () => import('./invitation-route.tsx'), 'InvitationRoute'),
        // Also for visitors without a session.
        page(paths.help(), () => import('../features/help/help-page.tsx'), 'HelpPage'),
        page(paths.apiReference(), () => import('./api-reference-page.tsx'), 'ApiReferencePage'),
      ]),
      { path: '*', element: <NotFound /> },
    ],
  },
];
