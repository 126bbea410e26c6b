import { Notice } from '../../components/notice.tsx';

type Props = {
  /** Before it is created, this is a warning. */
  isNew?: boolean;
};

/** That the content of a template is final, in the same words wherever it matters. */
export const LockedNote = ({ isNew = false }: Props) => (
  <Notice tone={isNew ? 'error' : 'info'} mb="4">
    Templates cannot be edited after creation, so that reporting stays accurate. Only the name, the active
    status and the linked automations can be changed. To change anything else, duplicate the template.
  </Notice>
);
