import { ListPage as Listed } from '../features/list/list-page.tsx';
import { Members } from '../features/list-member/members.tsx';

/** A list, with its members. */
export const ListPage = () => <Listed>{id => <Members key={id} list={id} />}</Listed>;
