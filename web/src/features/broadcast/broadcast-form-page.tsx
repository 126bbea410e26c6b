import { useParams } from 'react-router';
import { ButtonLink, GhostLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useBroadcast } from '#web/entities/broadcast/broadcast.tsx';
import { useLists } from '#web/entities/list/list.ts';
import { paths } from '#web/lib/paths.ts';

const BACK = <GhostLink to={paths.broadcasts()}>Back to Broadcasts</GhostLink>;

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
    <Page title="New broadcast" actions={BACK}>
      {data || error ? <BroadcastForm /> : BroadcastForm.fallback}
    </Page>
  );
}

export function EditBroadcastPage() {
  const { broadcast: id = '' } = useParams();
  const { data } = useBroadcast(id);
  const lists = useLists();
  return (
    <Page title="Edit broadcast" actions={BACK}>
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
    </Page>
  );
}
