import { ListDetails } from '../features/list/list-page.tsx';
import { Members } from '../features/list-member/members.tsx';

/** Combines the page of a list with its members: two features that do not import each other. */
export const ListPage = () => <ListDetails members={id => <Members key={id} list={id} />} />;
