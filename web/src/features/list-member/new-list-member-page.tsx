import { useParams } from 'react-router';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { useList } from '#web/entities/list/list.ts';

const NewListMemberForm = onDemand(
  () => import('./new-list-member-form.tsx'),
  <Loading maxWidth="560px" shape={['field', 'line', 'line', 'button']} />,
);

export function NewListMemberPage() {
  const { list = '' } = useParams();
  const emailList = useList(list);
  return (
    <Page title={emailList ? `Add member to ${emailList.name}` : 'Add member'}>
      {emailList ? <NewListMemberForm list={list} /> : NewListMemberForm.fallback}
    </Page>
  );
}
