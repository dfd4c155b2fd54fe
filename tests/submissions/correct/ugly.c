// expect: PASS
#include <math.h>
#define F(x,n) for(size_t x=0;x<(n);x++)
void solve(size_t Tq,size_t Tk,size_t d,size_t d_v,const double Q[Tq][d],const double K[Tk][d],const double V[Tk][d_v],bool causal,double output[Tq][d_v]){
double a[64],m,z;size_t n;F(i,Tq){n=causal?i+1:Tk;m=-1./0;z=0;F(j,n){a[j]=0;F(c,d)a[j]+=Q[i][c]*K[j][c];a[j]/=sqrt(d);m=a[j]>m?a[j]:m;}F(j,n)z+=a[j]=exp(a[j]-m);F(c,d_v){output[i][c]=0;F(j,n)output[i][c]+=a[j]*V[j][c]/z;}}}
