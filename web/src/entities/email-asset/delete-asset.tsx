import type { EmailAsset } from '#shared/email-asset.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import { EMAIL_ASSET } from './email-asset.ts';

type Props = {
  asset: Pick<EmailAsset, 'id' | 'name' | 'type'>;
  leaves?: boolean;
  onClose: () => void;
};

export const DeleteAsset = ({ asset, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={EMAIL_ASSET}
    item={asset}
    confirm="Delete Asset"
    failure="Failed to delete email asset. Please try again."
  >
    Are you sure you want to delete this email asset? This action cannot be undone.
  </DeleteEntity>
);
