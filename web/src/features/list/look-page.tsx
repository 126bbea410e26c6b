import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { SWRResponse } from 'swr';
import { publicNameOf } from '#shared/list.ts';
import { GhostLink } from '#web/components/button.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useKnownList, useList, useLists } from '#web/entities/list/list.ts';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const COLUMNS = { base: 'minmax(0, 602px)', xl: 'minmax(0, 420px) minmax(0, 602px)' };
const LookForm = onDemand(
  () => import('./look-form.tsx'),
  <Loading
    templateColumns={COLUMNS}
    shape={['button', 'line', 96, 'field', 'field', 'field', 'field', 'field', 'button']}
    beside={[32, 32, 480]}
  />,
);

/** How the emails of a list look. */
export function ListLookPage() {
  const { list: id = '' } = useParams();
  const list = useList(id);
  const known = useKnownList(id);
  const change = useOrganizationChange();
  const params = { list: id };
  const looks = useOrganizationData('GET /api/email-lists/{list}/look', { params, isRefusalExpected: true });
  const name = list?.name ?? known?.name;
  return (
    <Page
      title={name ? `Email design of ${name}` : 'Email design'}
      actions={<GhostLink to={paths.list(id)}>Back to the list</GhostLink>}
    >
      {/* A name of several lines would move it. */}
      {name && (
        <Loaded from={looks}>
          {list && looks.data && (
            <LookForm
              key={id}
              look={looks.data.look}
              inherited={looks.data.inherited}
              logo={list.logo}
              name={publicNameOf(list)}
              editList={paths.editList(id)}
              right="lists:edit"
              save={look => change('PUT /api/email-lists/{list}/look', { params, body: { look } })}
            />
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** How the emails of all lists look that have no design of their own. The preview shows the logo of one of them. */
export function OrganizationLookPage() {
  const organization = useOrganization();
  const change = useOrganizationChange();
  const looks = useOrganizationData('GET /api/look');
  const lists = useLists();
  const withLogo = lists.data?.find(({ logo }) => logo);
  return (
    <Page
      title="Email design of the organization"
      explained={['The look of emails: logo, colors, font, button, footer.', 'email-design']}
      actions={<GhostLink to={paths.organizations()}>Back to organizations</GhostLink>}
    >
      <Loaded from={looks}>
        {organization && looks.data && (lists.data || lists.error) && (
          <LookForm
            look={looks.data.look}
            logo={withLogo?.logo ?? null}
            name={withLogo ? publicNameOf(withLogo) : organization.name}
            right="organization:edit"
            save={look => change('PUT /api/look', { body: { look } })}
          />
        )}
      </Loaded>
    </Page>
  );
}

type Response = Pick<SWRResponse<unknown>, 'data' | 'error'> & { mutate: () => unknown };

const Loaded = ({ from: { data, error, mutate }, children }: { from: Response; children: ReactNode }) =>
  error && !data ? (
    <Failure problem={error} message="Failed to load the email design" onRetry={mutate} />
  ) : (
    children || LookForm.fallback
  );
