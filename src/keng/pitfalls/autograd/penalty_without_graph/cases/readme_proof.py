assert not penalty(critic, real, fake).requires_grad
