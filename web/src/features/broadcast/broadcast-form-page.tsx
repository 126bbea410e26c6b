import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ButtonLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useBroadcast } from '#web/entities/broadcast/broadcast.tsx';
import { useLists } from '#web/entities/list/list.ts';
import { paths } from '#web/lib/paths.ts';

const BroadcastForm = onDemand(
  async () => {
    const [form] = await Promise.all([
      import('./broadcast-form.tsx'),
      import('#web/entities/audience/conditions.tsx'),
    ]);
    // Shown at once, so that nothing moves.
    await form.preloadFields();
    return form;
  },
  <Loading maxWidth="720px" shape={['field', 'line', 'button', 160, 58, 'field', 'line', 340, 'button']} />,
);

export function NewBroadcastPage() {
  const { data, error } = useLists();
  return (
    <FormPage title="New broadcast">{data || error ? <BroadcastForm /> : BroadcastForm.fallback}</FormPage>
  );
}

export function EditBroadcastPage() {
  const { broadcast: id = '' } = useParams();
  const { data } = useBroadcast(id);
  const lists = useLists();
  return (
    <FormPage title="Edit broadcast">
      {!data || !(lists.data || lists.error) ? (
        BroadcastForm.fallback
      ) : data.status === 'draft' || data.status === 'scheduled' ? (
        <BroadcastForm broadcast={data} />
      ) : (
        <EmptyState
          title="This broadcast cannot be edited any more"
          cause="It can be edited until it begins. Duplicate it to send something like it."
          action={<ButtonLink to={paths.broadcast(id)}>Go to the broadcast</ButtonLink>}
        />
      )}
    </FormPage>
  );
}

const FormPage = (props: { title: string; children: ReactNode }) => (
  <Page
    {...props}
    actions={
      <ButtonLink variant="ghost" to={paths.broadcasts()}>
        Back to Broadcasts
      </ButtonLink>
    }
  />
);
