import { useParams } from 'react-router';
import { onDemand } from '../../components/on-demand.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useList } from '../../entities/list/list.ts';

const NewListMemberForm = onDemand(() => import('./new-list-member-form.tsx'), <Spinner />);

export function NewListMemberPage() {
  const { list = '' } = useParams();
  const emailList = useList(list);
  return (
    <Page title={emailList ? `Add member to ${emailList.name}` : 'Add member'}>
      {emailList ? <NewListMemberForm list={list} /> : <Spinner />}
    </Page>
  );
}
