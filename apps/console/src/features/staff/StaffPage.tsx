import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/request.js';
import { useMay, useStaff } from '../../api/session.js';
import type { Page } from '../../api/types/common.js';
import type { StaffMember } from '../../api/types/staff.js';
import { Moment } from '../../time/Moment.js';
import { CsvLink } from '../../ui/CsvLink.js';
import { PageHead } from '../../ui/PageHead.js';
import { Empty, Failed, Loading } from '../../ui/States.js';
import panel from '../../ui/Panel.module.css';
import table from '../../ui/Table.module.css';
import { StaffDialog } from './StaffDialog.js';

/** Who may sign in, and as what. */
export function StaffPage() {
  const administers = useMay('admin');
  const [edited, setEdited] = useState<StaffMember | 'new'>();
  const { data, error, refetch } = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => get<Page<StaffMember>>('/v1/staff', { signal }),
    enabled: administers,
  });
  if (!administers)
    return (
      <>
        <PageHead title="Staff" />
        <Empty title="This page is for admins">An admin decides who may sign in.</Empty>
      </>
    );
  return (
    <>
      <PageHead title="Staff" lead="Who may sign in, and as what.">
        <CsvLink path="/v1/staff" name="staff" />
        <Button onClick={() => setEdited('new')}>New account</Button>
      </PageHead>
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
      {data && <Members members={data.items} onEdit={setEdited} />}
      {edited && <StaffDialog edited={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Members({
  members,
  onEdit,
}: {
  members: readonly StaffMember[];
  onEdit: (member: StaffMember) => void;
}) {
  const me = useStaff();
  return (
    <div className={panel['panel']}>
      <div className={table['wrap']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Account</th>
              <th scope="col">Since</th>
              <th scope="col">
                <span className="visually-hidden">What can be done</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  <div className={table['two']}>
                    <span className={table['main']}>
                      {member.name}
                      {member.id === me.id && ' (you)'}
                    </span>
                    <span className={table['small']}>{member.email}</span>
                  </div>
                </td>
                <td data-label="Role">{member.role}</td>
                <td data-label="Account">{member.disabled ? 'Closed' : 'Open'}</td>
                <td data-label="Since">
                  <Moment at={member.created_at} />
                </td>
                <td className={table['number']}>
                  <Button
                    variant="default"
                    onClick={() => onEdit(member)}
                    aria-label={`Change ${member.name}`}
                  >
                    Change
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
