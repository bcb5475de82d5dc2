import { useMay } from '../../../api/session.js';
import { Empty } from '../../../ui/States.js';
import { ChangeForm } from './ChangeForm.js';
import { Erase } from './Erase.js';
import { Export } from './Export.js';
import classes from './ManageTab.module.css';
import { RotateToken } from './RotateToken.js';

/** What changes the bottle itself. */
export function ManageTab() {
  const supports = useMay('support');
  const administers = useMay('admin');
  if (!supports)
    return <Empty title="You may not do this">Somebody of support or an admin can change a bottle.</Empty>;
  return (
    <div className={classes['page']}>
      <ChangeForm />
      <RotateToken />
      <Export />
      {administers && <Erase />}
    </div>
  );
}
