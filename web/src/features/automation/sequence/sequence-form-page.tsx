import { useParams, useSearchParams } from 'react-router';
import { GhostLink } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useSequence } from '#web/entities/automation/sequence.tsx';
import { useLists } from '#web/entities/list/list.ts';
import { FOR_LIST, paths } from '#web/lib/paths.ts';

const SequenceForm = onDemand(
  async () => {
    const [form] = await Promise.all([
      import('./sequence-form.tsx'),
      import('#web/entities/audience/conditions.tsx'),
    ]);
    // Shown at once, so that nothing moves.
    await form.preloadSequenceFields();
    return form;
  },
  <Loading maxWidth="720px" shape={['field', 'line', 'button', 160, 'field', 'field', 72, 'button']} />,
);

/** If there is one list, it is chosen. */
export function NewSequencePage() {
  const [params] = useSearchParams();
  const { data: lists, error } = useLists();
  const [only, another] = lists ?? [];
  const list = params.get(FOR_LIST) ?? (another ? undefined : only?.id);
  return (
    <Page
      title="Create sequence"
      actions={<GhostLink to={paths.automations()}>Back to Automations</GhostLink>}
    >
      {lists || error ? <SequenceForm lists={list ? [list] : []} /> : SequenceForm.fallback}
    </Page>
  );
}

export function EditSequencePage() {
  const { sequence: id = '' } = useParams();
  const { data } = useSequence(id);
  const lists = useLists();
  return (
    <Page title="Edit sequence" actions={<GhostLink to={paths.sequence(id)}>Back to the sequence</GhostLink>}>
      {data && (lists.data || lists.error) ? (
        <SequenceForm sequence={data} lists={data.email_lists.map(list => list.id)} />
      ) : (
        SequenceForm.fallback
      )}
    </Page>
  );
}
